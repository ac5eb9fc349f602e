// What a run begins from. A process also inherits scheduling, allowed processors and how the kernel looks to it, which
// whoever starts the host could choose for every plugin. So the cloning thread takes fixed values before each clone, as far
// as its rights go, and the child inherits them.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// A small file of /proc, written whole. Raw calls: the child, which shares the host's memory, uses it too.
static long write_text(const char *path, const char *text, size_t size) {
    long file = raw(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return file;
    long result = raw(__NR_write, file, text, size);
    raw(__NR_close, file);
    return result < 0 ? result : 0;
}

// With SIGCHLD ignored the kernel reaps children by itself, and how a plugin ended could not be asked. The default
// ignores the signal as well, but keeps the dead.
static int keep_the_dead(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) < 0) return errno;
    if (action.sa_handler != SIG_IGN && !(action.sa_flags & SA_NOCLDWAIT)) return 0;
    if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_NOCLDWAIT;
    return sigaction(SIGCHLD, &action, NULL) < 0 ? errno : 0;
}

// Ordinary scheduling at nice 0. Without the right to come back from a worse place there is one more value: the worst.
static int schedule_alike(void) {
    struct sched_param none = {0};
    // SCHED_IDLE may not be left without the right to a better nice value: then it stays, and is the worst already.
    if (sched_setscheduler(0, SCHED_OTHER, &none) < 0 && errno != EPERM) return errno;
    if (setpriority(PRIO_PROCESS, 0, 0) < 0) {
        if (errno != EACCES && errno != EPERM) return errno;
        if (setpriority(PRIO_PROCESS, 0, 19) < 0) return errno;
    }
    // IOPRIO_WHO_PROCESS, this thread, no class of its own. A kernel without block devices has no such call.
    long result = raw(__NR_ioprio_set, 1, 0, 0);
    return result < 0 && result != -ENOSYS && result != -EPERM ? (int)-result : 0;
}

int escrow_begin_alike(void) {
    int error = keep_the_dead();
    if (!error) error = schedule_alike();
    if (error) return error;
    // No other kernel version, and addresses drawn by lot.
    if (personality(PER_LINUX) < 0) return errno;
    if (prctl(PR_SET_TIMERSLACK, 50000, 0, 0, 0) < 0) return errno;
    // All processors that the machine, or the control group, leaves to the host. Those beyond are ignored.
    unsigned char all[1024];
    memset(all, 0xff, sizeof all);
    long result = raw(__NR_sched_setaffinity, 0, sizeof all, all);
    if (result < 0) return (int)-result;
    // Some containers refuse it to everybody, and then to whoever started the host.
    result = raw(__NR_set_mempolicy, 0 /* MPOL_DEFAULT */, 0, 0);
    return result < 0 && result != -ENOSYS && result != -EPERM ? (int)-result : 0;
}

int escrow_set_memory(void) {
    // A kernel without core dumps has no such file.
    long result = write_text("/proc/self/coredump_filter", "0", 1);
    if (result < 0 && result != -ENOENT) return (int)-result;
    // PR_SET_MEMORY_MERGE, Linux 6.4. Pages that the kernel merges with equal ones of other programs tell these, by how long
    // a write takes, what is in them. An older kernel merges nothing unasked.
    if (prctl(67, 0, 0, 0, 0) < 0 && errno != EINVAL) return errno;
    return prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0) < 0 && errno != EINVAL ? errno : 0;
}

int escrow_die_first(void) {
    return (int)-write_text("/proc/self/oom_score_adj", "1000", 4);
}
