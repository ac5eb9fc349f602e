// What the runner compiles before every C probe. README.md beside this file says how to write one.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The probe's body; it returns the exit code, which is 0 unless the machine got in the way. argument[1] is what the
// key `argument:` names.
#define PROBE int main(int count, char **argument)

// Says how the misdeed ended: DID IT, or REFUSED with the errno's name when the result is below 0.
static inline int tell(long result) {
    if (result < 0) printf("REFUSED %s\n", strerrorname_np(errno));
    else printf("DID IT\n");
    fflush(stdout);
    return 0;
}

// True in the control run, outside the sandbox.
static inline bool outside(void) {
    return getenv("ESCROW_PLUGIN") == NULL;
}

// Sleeps for some milliseconds.
static inline void rest(int milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    while (nanosleep(&time, &time) < 0 && errno == EINTR) {
    }
}

// True in the control run once it has used more processor time than the limit inside, cpuSeconds 1, allows.
static inline bool spent(void) {
    return outside() && clock() > CLOCKS_PER_SEC * 11 / 10;
}

// Ends a control that cannot be made, for a reason that is not the misdeed's. Inside nothing calls this.
static inline void give_up(const char *what) {
    printf("GAVE UP %s: %s\n", what, strerrorname_np(errno));
    fflush(stdout);
    _exit(3);
}

// Writes a small file of procfs; outside only.
static inline void put(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    if (file < 0 || write(file, text, strlen(text)) < 0) give_up(path);
    close(file);
}

// Outside: moves into new namespaces (CLONE_NEW* flags, or 0), so that what follows harms nobody; mounts made in a
// new mount namespace stay there. Whoever is not root is given a user namespace besides, and in it every capability.
// Inside: does nothing, since unshare would be the violation.
static inline void aside(int namespaces) {
    if (!outside()) return;
    char users[40], groups[40];
    bool is_root = geteuid() == 0;
    snprintf(users, sizeof users, "%d %d 1", (int)geteuid(), (int)geteuid());
    snprintf(groups, sizeof groups, "%d %d 1", (int)getegid(), (int)getegid());
    if (unshare(is_root ? namespaces : namespaces | CLONE_NEWUSER) < 0) {
        tell(-1);
        _exit(0);
    }
    if (!is_root) {
        // Whoever is nobody there can make no file.
        put("/proc/self/uid_map", users);
        put("/proc/self/setgroups", "deny");
        put("/proc/self/gid_map", groups);
    }
    if (namespaces & CLONE_NEWNS && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) give_up("private");
}

// Outside: moves into a new mount namespace and there into a file system of its own. Inside: does nothing.
static inline void own_mount(void) {
    aside(CLONE_NEWNS);
    if (!outside()) return;
    // By its name: "." would stay what lies beneath.
    char *here = getcwd(NULL, 0);
    if (!here || mount("none", here, "tmpfs", 0, NULL) < 0 || chdir(here) < 0) give_up("mount");
    free(here);
}

// Outside: goes on in a child, so that what follows changes no process that others look at; the parent waits and
// ends as the child does. Inside: does nothing, since to fork would be the violation.
static inline void in_a_child(void) {
    if (!outside()) return;
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) return;
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 4);
}

// Where a descriptor lies that the process was born with, as if a host had forgotten to close it. Outside, the
// functions below put one there, and its other end at the next number; inside there is what the sandbox left: nothing.
enum { LEAKED = 10 };

// Outside: a pair of connected sockets at LEAKED and the next number.
static inline void leak_sockets(void) {
    int ends[2];
    if (!outside()) return;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) give_up("socketpair");
    if (dup2(ends[0], LEAKED) < 0 || dup2(ends[1], LEAKED + 1) < 0) give_up("dup2");
}

// Outside: a pipe at LEAKED (to read from, with one byte in it) and the next, another at LEAKED + 2 and the next.
static inline void leak_pipes(void) {
    int ends[2];
    if (!outside()) return;
    for (int first = LEAKED; first <= LEAKED + 2; first += 2) {
        if (pipe(ends) < 0) give_up("pipe");
        if (dup2(ends[0], first) < 0 || dup2(ends[1], first + 1) < 0) give_up("dup2");
    }
    if (write(LEAKED + 1, "x", 1) != 1) give_up("write");
}

// Another process. Outside: a new child that sleeps and dies with its parent. Inside: the parent, which is 0, since no
// other process can be named there.
static inline pid_t somebody(void) {
    if (!outside()) return getppid();
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        for (;;) pause();
    }
    return child;
}

// Outside: goes on in a child whose input is a terminal of its own, made for it. Inside: does nothing.
static inline void own_terminal(void) {
    if (!outside()) return;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) give_up("terminal");
    in_a_child();
    if (setsid() < 0) give_up("setsid");
    // The first terminal that a session's leader opens controls it.
    int side = open(ptsname(terminal), O_RDWR);
    if (side < 0 || dup2(side, 0) < 0) give_up("terminal");
}
