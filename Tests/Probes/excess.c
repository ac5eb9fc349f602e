// Too much of one thing, named by argv[1].
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **argument) {
    const char *what = count > 1 ? argument[1] : "";
    long amount = count > 2 ? atol(argument[2]) : 0;
    static char block[65536];
    memset(block, 'x', sizeof block);
    if (strcmp(what, "sleep") == 0) {
        for (;;) {
            struct timespec second = {1, 0};
            nanosleep(&second, NULL);
        }
    }
    if (strcmp(what, "spin") == 0) {
        for (volatile unsigned long i = 0;; i++) {
        }
    }
    if (strcmp(what, "memory") == 0) {
        // Each block is touched, so that it is memory and not only address space; stops at `amount` MiB.
        for (long i = 0; i < amount; i++) {
            char *more = malloc(1 << 20);
            if (!more) return 12;
            memset(more, 1, 1 << 20);
        }
        printf("DID IT\n");
        return 0;
    }
    if (strcmp(what, "reserve") == 0) {
        // Address space without memory.
        for (long i = 0; i < amount; i++) {
            if (!malloc(1 << 20)) return 12;
        }
        printf("DID IT\n");
        return 0;
    }
    if (strcmp(what, "output") == 0 || strcmp(what, "log") == 0) {
        int to = what[0] == 'o' ? 1 : 2;
        for (long left = amount; left > 0;) {
            ssize_t written = write(to, block, left < (long)sizeof block ? (size_t)left : sizeof block);
            if (written < 0) return 13;
            left -= written;
        }
        return 0;
    }
    if (strcmp(what, "burst") == 0 || strcmp(what, "burst-wait") == 0) {
        // So many bytes at once, then (after a byte of input) a call that is not allowed.
        if (write(1, block, (size_t)amount) != amount) return 13;
        char byte;
        if (what[5] != 0 && read(0, &byte, 1) != 1) return 14;
        socket(AF_INET, SOCK_STREAM, 0);
        printf("DID IT\n");
        return 0;
    }
    if (strcmp(what, "divide") == 0) {
        volatile int zero = 0;
        return 7 / zero;
    }
    if (strcmp(what, "trap") == 0) __builtin_trap();
    if (strcmp(what, "exit") == 0) return (int)amount;
    if (strcmp(what, "crash") == 0) {
        volatile int *nowhere = (int *)16;
        *nowhere = 1;
    }
    if (strcmp(what, "abort") == 0) abort();
    if (strcmp(what, "deaf") == 0) {
        // Shuts stdin without reading, and stays.
        close(0);
        for (;;) {
            struct timespec second = {1, 0};
            nanosleep(&second, NULL);
        }
    }
    return 9;
}
