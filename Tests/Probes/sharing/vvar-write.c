// Makes the pages writable by which the kernel tells every process the time: one and the same for all of them.
// The kernel lets nobody, so the control is refused as well; what is tried is that this stays so.
// control: refused EACCES
// strict: refused EACCES
#include <sys/auxv.h>
#include <sys/mman.h>

PROBE {
    // They lie right beneath the vDSO, as many as the kernel's version has; what lies beneath them is the process's own.
    long page = sysconf(_SC_PAGESIZE);
    char *place = (char *)getauxval(AT_SYSINFO_EHDR);
    int refused = 0;
    while (mprotect(place -= page, page, PROT_READ | PROT_WRITE) < 0 && errno == EACCES) refused++;
    errno = EACCES;
    return tell(refused > 0 ? -1 : 0);
}
