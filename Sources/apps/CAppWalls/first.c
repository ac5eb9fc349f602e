#define _GNU_SOURCE
#include "CAppWalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void wakes(int number) { (void)number; }

static void run(const char *const words[], const int ignored[], int count) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    for (int at = 0; at < count; at++) signal(ignored[at], SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (app_filter()) execvp(words[0], (char *const *)words);
    int error = errno;
    dprintf(2, "%s cannot be started: %s\n", words[0], strerror(error));
    _exit(error == ENOENT ? 127 : 126);
}

int app_first(const char *const words[], int life, const int ignored[], int count) {
    const int killed = 128 + SIGKILL;
    // The program may trace what is dumpable, and would have this process say that it ended while it lives on.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || fcntl(life, F_SETFD, FD_CLOEXEC) != 0) return killed;
    if (life > 3) close_range(3, (unsigned)life - 1, 0);
    close_range((unsigned)life + 1, ~0U, 0);
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    sigdelset(&before, SIGCHLD);
    struct sigaction action = {.sa_handler = wakes};
    sigaction(SIGCHLD, &action, NULL);
    struct pollfd end = {.fd = life, .events = POLLIN};
    if (poll(&end, 1, 0) != 0) return killed;
    pid_t program = fork();
    if (program == 0) run(words, ignored, count);
    if (program < 0) return killed;
    while (ppoll(&end, 1, NULL, &before) <= 0) {
        int status;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return killed;
}
