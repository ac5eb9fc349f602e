#define _GNU_SOURCE
#include "COffloadWalls.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int offload_shut_in(void) {
    // 0 would not keep the kernel from feeding a program that collects cores. Only root may raise a limit that is 0 already.
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) != 0) return errno;
    if (core.rlim_max > 1) core.rlim_max = 1;
    core.rlim_cur = core.rlim_max;
    if (setrlimit(RLIMIT_CORE, &core) != 0) return errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return 0;
}

int offload_write_no_file(void) {
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_FSIZE, &none) == 0 ? 0 : errno;
}

void offload_wipe_freed(void) { mallopt(M_PERTURB, 0xA5); }

int offload_lock_memory(void) {
    struct rlimit most;
    if (getrlimit(RLIMIT_MEMLOCK, &most) == 0 && most.rlim_cur != most.rlim_max) {
        most.rlim_cur = most.rlim_max;
        setrlimit(RLIMIT_MEMLOCK, &most);
    }
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? 0 : errno;
}

int offload_again_with(const char *name, const char *value, char *const arguments[]) {
    if (setenv(name, value, 1) != 0) return errno;
    execv("/proc/self/exe", arguments);
    return errno;
}
