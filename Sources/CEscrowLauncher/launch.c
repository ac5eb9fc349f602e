// The clone itself, seen from the host.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
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

int escrow_probe_namespaces(uint64_t flags) {
    size_t size = 16384;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return errno;
    // No exit signal: nobody but us hears of this child.
    int pid = clone(exit_at_once, stack + size, (int)flags | CLONE_VM | CLONE_VFORK, NULL);
    int error = pid < 0 ? errno : 0;
    if (pid > 0) {
        while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR) {
        }
    }
    munmap(stack, size);
    return error;
}
