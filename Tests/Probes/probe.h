// What every C probe begins with. A probe is one misdeed:
//
//     // Opens a TCP socket.
//     // strict: violation socket(AF_INET, SOCK_STREAM)
//     #include "../probe.h"
//
//     PROBE { return tell(socket(AF_INET, SOCK_STREAM, 0)); }
//
// README.md beside this file says what the first comment may hold.
#ifndef PROBE_H
#define PROBE_H

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

// Outside: moves into new namespaces (CLONE_NEW* flags), so that what follows harms nobody; mounts made in a new
// mount namespace stay there. Whoever is not root is given a user namespace besides. Inside: does nothing, since
// unshare would be the violation.
static inline void aside(int namespaces) {
    if (!outside()) return;
    if (geteuid() != 0) namespaces |= CLONE_NEWUSER;
    if (unshare(namespaces) < 0) give_up("unshare");
    if (namespaces & CLONE_NEWNS && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) give_up("private");
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

// Outside: opens a socket and puts it at the descriptor, as a host that forgot to close it would. Inside: does
// nothing, so the descriptor is what the sandbox gives.
static inline void leak_socket(int descriptor) {
    if (!outside()) return;
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    if (made < 0 || dup2(made, descriptor) < 0) give_up("socket");
}

#endif
