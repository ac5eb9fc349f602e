#define _GNU_SOURCE
#include "CProbeRunner.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int probe_become(uid_t user, gid_t group) {
    if (setgroups(0, NULL) < 0) return errno;
    if (setresgid(group, group, group) < 0) return errno;
    if (setresuid(user, user, user) < 0) return errno;
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? errno : 0;
}

int probe_adopt_orphans(bool on) {
    return prctl(PR_SET_CHILD_SUBREAPER, on ? 1 : 0, 0, 0, 0) < 0 ? errno : 0;
}

int probe_leave_no_cores(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) < 0) return errno;
    // 1 and not 0: with 0 the kernel still feeds a handler that is a pipe.
    limit.rlim_cur = limit.rlim_max < 1 ? limit.rlim_max : 1;
    return setrlimit(RLIMIT_CORE, &limit) < 0 ? errno : 0;
}

int probe_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) < 0 ? errno : 0;
}

int probe_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

bool probe_holds(const void *bytes, size_t count, const void *part, size_t length) {
    return memmem(bytes, count, part, length) != NULL;
}
