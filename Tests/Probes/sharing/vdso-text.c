// Writes into the code that the kernel maps into every process, and looks there for what another process wrote. Outside it
// can be written; what is written is a copy of the process's own.
// strict: prints its own
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>

PROBE {
    ElfW(Ehdr) *head = (void *)getauxval(AT_SYSINFO_EHDR);
    // The last bytes of an ELF file's identification are nobody's: they are zero in every kernel.
    volatile unsigned char *mark = head->e_ident + EI_NIDENT - 1;
    if (*mark) {
        printf("SAW A MARK\n");
        return 0;
    }
    // The kernel lets nobody change a part of the mapping alone; what describes its sections stands at its end.
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    long result = mprotect(head, (size + page - 1) / page * page, PROT_READ | PROT_WRITE);
    // For the next process: the control comes before the run inside.
    if (result == 0) *mark = 1;
    if (outside()) return tell(result);
    printf("its own\n");
    return 0;
}
