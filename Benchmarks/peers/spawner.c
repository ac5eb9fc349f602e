// Starts peers of the launch benchmark by posix_spawn, times them, and stays out of the way: a small process, so that
// what is measured is the peer.
//   spawner CASES ROW LINE [FILTER]
// CASES holds one command a line, its words parted by tabs. For each line of stdin, the number of a case, that command
// is started, given the file ROW on its stdin, read to the end of its stdout and reaped; one JSON line tells the
// microseconds from before posix_spawn to the first byte of output and to the reaping, and whether it wrote LINE and ended
// with 0. The file FILTER is open as descriptor 9, from its beginning (bwrap --seccomp 9).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CASES = 32, WORDS = 64, FILTER = 9 };

static char *commands[CASES][WORDS + 1];
static char row[4096];
static ssize_t row_size;
static const char *wanted;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void must(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "spawner: %s: %s\n", what, strerror(errno));
    exit(1);
}

// Runs one command; prints its line.
static void run(char **words) {
    static const char *const log = "/dev/null";
    int in[2], out[2], status;
    must(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "pipe");
    lseek(FILTER, 0, SEEK_SET);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY, 0);

    pid_t child;
    char answer[4096];
    size_t size = 0;
    ssize_t count;
    double first = 0, start = now();
    int error = posix_spawn(&child, words[0], &actions, NULL, words, environ);
    if (error) errno = error;
    must(error == 0, words[0]);
    close(in[0]);
    close(out[1]);
    must(write(in[1], row, (size_t)row_size) == row_size, "write");
    close(in[1]);
    while (size < sizeof answer && (count = read(out[0], answer + size, sizeof answer - size)) > 0) {
        if (first == 0) first = now() - start;
        size += (size_t)count;
    }
    must(waitpid(child, &status, 0) == child, "waitpid");
    double wall = now() - start;
    close(out[0]);
    posix_spawn_file_actions_destroy(&actions);

    if (size > 0 && answer[size - 1] == '\n') size--;
    printf("{\"firstByteUs\":%.1f,\"wallUs\":%.1f,\"good\":%s}\n", first, wall,
           status == 0 && size == strlen(wanted) && memcmp(answer, wanted, size) == 0 ? "true" : "false");
    fflush(stdout);
}

int main(int count, char **argument) {
    must(count >= 4, "usage: spawner CASES ROW LINE [FILTER]");
    FILE *cases = fopen(argument[1], "re");
    must(cases != NULL, argument[1]);
    char *line = NULL;
    size_t room = 0;
    int number = 0;
    for (ssize_t size; number < CASES && (size = getline(&line, &room, cases)) > 0; number++) {
        if (line[size - 1] == '\n') line[size - 1] = 0;
        char *rest = strdup(line);
        for (int word = 0; word < WORDS && rest; word++) commands[number][word] = strsep(&rest, "\t");
    }
    int file = open(argument[2], O_RDONLY | O_CLOEXEC);
    must(file >= 0 && (row_size = read(file, row, sizeof row)) > 0, argument[2]);
    wanted = argument[3];
    if (count > 4) {
        int filter = open(argument[4], O_RDONLY | O_CLOEXEC);
        must(filter >= 0 && dup2(filter, FILTER) == FILTER, argument[4]);
    }
    while (getline(&line, &room, stdin) > 0) {
        int which = atoi(line);
        must(which >= 0 && which < number, "no such case");
        run(commands[which]);
    }
    return 0;
}
