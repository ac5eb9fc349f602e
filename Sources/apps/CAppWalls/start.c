#define _GNU_SOURCE
#include "CAppWalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void begin_signals(void) {
    // What is ignored is inherited, what is blocked as well.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    // These keys are for the program, which may go on: bwrap, whose terminal it is as well, must not end it.
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Above all that a program is given, and low enough for who may open few.
enum { most = 16 };

// Puts them at 0, 1, 2 … and closes all others but `report`.
static bool take(const int descriptors[], int count, int report) {
    int high[most];
    // Out of the way first: one of them may lie where another goes.
    for (int at = 0; at < count; at++) {
        int from = descriptors[at] >= 0 ? descriptors[at] : open("/dev/null", O_RDWR | O_CLOEXEC);
        if (from < 0 || (high[at] = fcntl(from, F_DUPFD_CLOEXEC, most)) < 0) return false;
    }
    for (int at = 0; at < count; at++)
        if (dup2(high[at], at) < 0) return false;
    return close_range((unsigned)count, (unsigned)report - 1, 0) == 0 && close_range((unsigned)report + 1, ~0U, 0) == 0;
}

static void become(const char *const words[], const int descriptors[], int count, int report) {
    if (setsid() < 0 || !take(descriptors, count, report)) return;
    for (int at = 0; at < 3; at++)
        if (isatty(at) && ioctl(at, TIOCSCTTY, 0) == 0) break;
    // A kernel without keys has none to hide.
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 && errno != ENOSYS) return;
    begin_signals();
    char *const none[] = {NULL};
    execvpe(words[0], (char *const *)words, none);
}

pid_t app_start(const char *const words[], const int descriptors[], int count) {
    int ends[2];
    if (count > most) return errno = EINVAL, -1;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        // Tells why it could not begin; exec closes it.
        int report = fcntl(ends[1], F_DUPFD_CLOEXEC, most);
        if (report >= 0) become(words, descriptors, count, report);
        int error = errno;
        (void)!write(report, &error, sizeof error);
        _exit(127);
    }
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    if (child > 0 && read(ends[0], &error, sizeof error) == sizeof error) waitpid(child, NULL, 0);
    close(ends[0]);
    errno = error;
    return error ? -1 : child;
}

int app_end(pid_t child) { return (int)syscall(SYS_pidfd_open, child, 0); }

bool app_ignores(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}
