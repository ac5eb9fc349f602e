// Makes memory executable by another spelling.
// strict: violation pkey_mprotect(PROT_READ|PROT_EXEC)
// needs: a kernel with this call, else ENOSYS
#include <sys/mman.h>

PROBE {
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) give_up("mmap");
    return tell(syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1));
}
