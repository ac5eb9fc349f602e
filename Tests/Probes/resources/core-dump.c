// Crashes with data in its memory, to have it written to a file or fed to a program of root's.
// strict: signal SIGSEGV
// needs: core files in the folder of the program, else ENOENT
#include <sys/resource.h>

static volatile char data[] = "canary-of-the-core";

PROBE {
    if (outside()) {
        // Only where the file comes to this folder, which goes at the end: a handler, or a folder of the machine's, would
        // keep it.
        char place[256] = "";
        int file = open("/proc/sys/kernel/core_pattern", O_RDONLY);
        if (file < 0 || read(file, place, sizeof place - 1) < 0) give_up("core_pattern");
        if (strpbrk(place, "|/") || !*place) {
            errno = ENOENT;
            return tell(-1);
        }
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        getrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_CORE, &limit);
        int status = 0;
        pid_t child = fork();
        if (child == 0) *(volatile int *)16 = data[0];
        waitpid(child, &status, 0);
        if (WCOREDUMP(status)) return tell(0);
        errno = ENOENT;
        return tell(-1);
    }
    *(volatile int *)16 = data[0];
    return 9;
}
