/* Runs a program and writes down what it alone cannot tell: `witness REPORT PROGRAM ARGUMENT...`.
 *
 * REPORT gets two numbers: the most memory that the program had in use, in KiB, and how many processes it left behind
 * that were alive half a minute after its end. The kernel counts a spawned program's memory from that of its parent,
 * hence a small parent; and it gives orphans to the nearest subreaper, hence one for each run. Ends as the program
 * did. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How many children are alive; those that have ended are reaped. */
static int living(void) {
    int count = 0, child;
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "r");
    if (!children) return -1;
    while (fscanf(children, "%d", &child) == 1) count++;
    fclose(children);
    return count;
}

int main(int count, char **argument) {
    struct rusage usage;
    int status = 0, left = 0;
    if (count < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) return 125;
    pid_t child = fork();
    if (child < 0) return 125;
    if (child == 0) {
        execv(argument[2], argument + 2);
        _exit(126);
    }
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) return 125;
    }
    for (int i = 0; i < 3000 && (left = living()) > 0; i++) {
        struct timespec pause = {0, 10000000};
        nanosleep(&pause, NULL);
    }
    FILE *report = fopen(argument[1], "w");
    if (!report) return 125;
    fprintf(report, "%ld %d\n", usage.ru_maxrss, left);
    if (fclose(report) != 0) return 125;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 125;
}
