/* Machine code that a package ships beside its script, under the profile native: each misdeed by a system call of its own, so that no
   library stands between. Gives what the kernel answered, or -1. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What it is shipped for. */
long sum(long a, long b) { return a + b; }

/* Commits the misdeed of that name: 0 or more where it was done. `file` is what it may try to read or to change. */
long misdeed(const char *name, const char *file) {
    if (!strcmp(name, "socket")) return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    if (!strcmp(name, "read")) return syscall(SYS_openat, AT_FDCWD, file, O_RDONLY);
    if (!strcmp(name, "change")) return syscall(SYS_openat, AT_FDCWD, file, O_WRONLY);
    if (!strcmp(name, "start")) {
        long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            char *words[] = {"true", NULL};
            syscall(SYS_execve, "/bin/true", words, NULL);
            _exit(1);
        }
        return child;
    }
    if (!strcmp(name, "signal")) return syscall(SYS_kill, getppid(), 0);
    if (!strcmp(name, "trace")) return syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
    if (!strcmp(name, "make code")) {
        void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return page == MAP_FAILED ? -1 : 0;
    }
    if (!strcmp(name, "change code")) {
        void *page = (void *)((unsigned long)qsort & ~4095UL);
        if (mprotect(page, 4096, PROT_READ | PROT_WRITE)) return -1;
        return mprotect(page, 4096, PROT_READ | PROT_EXEC);
    }
    if (!strcmp(name, "namespace")) return syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */);
    return -1;
}
