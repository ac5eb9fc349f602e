// The clone itself, seen from the host.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif

static int child_main(void *argument) {
    escrow_child(argument);
}

int escrow_launch(struct escrow_plan *plan, void *stack_top) {
    // CLONE_PIDFD stores the pidfd through the parent_tid pointer before the child runs, so that the supervisor can
    // see it while this thread sleeps.
    int flags = (int)(plan->namespaces | CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD);
    int result = clone(child_main, stack_top, flags, plan, (pid_t *)&plan->pidfd, NULL, NULL);
    return result < 0 ? errno : 0;
}

static int exit_at_once(void *argument) {
    (void)argument;
    for (;;) raw(__NR_exit_group, 0);
}

// Opens the root with no right to any file. The result goes to the shared memory behind the argument.
static int open_restricted(void *argument) {
    int *answer = argument;
    struct escrow_plan plan = {.landlock_fs = (1 << 13) - 1};
    *answer = EINTR;
    long result = raw(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (result < 0) *answer = (int)-result;
    else if ((*answer = escrow_restrict_files(&plan)) == 0) {
        result = raw(__NR_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        *answer = result == -EACCES ? 0 : -1;
    }
    return exit_at_once(argument);
}

// Runs a function in a child that shares this memory, and reaps it. Returns the errno of clone, or 0.
static int run_child(int (*function)(void *), void *argument, uint64_t flags) {
    size_t size = 16384;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return errno;
    // No exit signal: nobody but us hears of this child.
    int pid = clone(function, stack + size, (int)flags | CLONE_VM | CLONE_VFORK, argument);
    int error = pid < 0 ? errno : 0;
    if (pid > 0) {
        while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR) {
        }
    }
    munmap(stack, size);
    return error;
}

int escrow_probe_namespaces(uint64_t flags) {
    return run_child(exit_at_once, NULL, flags);
}

int escrow_probe_landlock(void) {
    int answer = EINTR;
    int error = run_child(open_restricted, &answer, 0);
    return error ? error : answer;
}
