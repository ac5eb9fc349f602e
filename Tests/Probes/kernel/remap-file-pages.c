// Changes the order of mapped pages.
// strict: violation remap_file_pages()
#include <sys/mman.h>

PROBE {
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) give_up("mmap");
    return tell(remap_file_pages(pages, 4096, 0, 1, 0));
}
