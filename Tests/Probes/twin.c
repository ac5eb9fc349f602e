// An honest plugin in C: reads its rows, sorts and counts them, tells the time, and answers. The more of libc an honest
// program may use, the better: what it calls is what the profile has to allow.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static int compare(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

int main(int count, char **argument) {
    char **rows = NULL;
    size_t number = 0;
    struct pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, 10000) < 0) return 1;
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        // Grows to more than a heap's block, so that it is moved.
        rows = realloc(rows, (number + 1) * 65536);
        if (!rows || !(rows[number++] = strdup(line))) return 1;
    }
    qsort(rows, number, sizeof *rows, compare);
    unsigned seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) return 1;
    srandom(seed);
    struct timespec moment = {0, 1000};
    nanosleep(&moment, NULL);
    time_t now = time(NULL);
    struct tm broken;
    char text[64];
    strftime(text, sizeof text, "%Y", gmtime_r(&now, &broken));
    struct utsname machine;
    uname(&machine);
    fprintf(stderr, "%s rows on %s in %s, processors %ld, one of %ld\n", argument[0], machine.sysname, text,
            sysconf(_SC_NPROCESSORS_ONLN), random() % 10 + 1);
    printf("%zu\n", number);
    fflush(stdout);
    if (count > 1) abort();
    return 0;
}
