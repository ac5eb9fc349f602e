// Starts a program that is in no file.
// strict: violation memfd_create()
#include <sys/mman.h>
#include <sys/sendfile.h>

PROBE {
    char *const arguments[] = {"echo", "DID IT", NULL}, *const environment[] = {NULL};
    int memory = memfd_create("x", 0), program = open("/bin/echo", O_RDONLY);
    while (sendfile(memory, program, NULL, 1 << 20) > 0) {
    }
    return tell(fexecve(memory, arguments, environment));
}
