// Crashes with data in its memory, to have it written to a file or fed to a program of root's.
// strict: signal SIGSEGV
// needs: core files, else ENOENT
#include "../probe.h"
#include <sys/resource.h>

static volatile char data[] = "canary-of-the-core";

PROBE {
    if (outside()) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        getrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_CORE, &limit);
        int status = 0;
        pid_t child = fork();
        if (child == 0) *(volatile int *)16 = data[0];
        waitpid(child, &status, 0);
        // Written to this folder, which goes at the end, or taken by a handler.
        if (WCOREDUMP(status)) return tell(0);
        errno = ENOENT;
        return tell(-1);
    }
    *(volatile int *)16 = data[0];
    return 9;
}
