// Makes the system calls that its standard input lists, a line each: `number a b c d e f` in hexadecimal digits, an
// `@` before a word for an address in a page of its own. Says of each what came of it: `number result`, a negated errno
// or 0, so that a line that is missing tells where it was stopped. The whole list is read before the first call.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static char input[1 << 20];
static char page[4096] __attribute__((aligned(4096)));

// The bare call: no libc, whose errno lies where a call may have done harm.
static long call(long number, const unsigned long a[6]) {
#if defined(__x86_64__)
    long result;
    register unsigned long r10 __asm__("r10") = a[3];
    register unsigned long r8 __asm__("r8") = a[4];
    register unsigned long r9 __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register unsigned long x0 __asm__("x0") = a[0];
    register unsigned long x1 __asm__("x1") = a[1];
    register unsigned long x2 __asm__("x2") = a[2];
    register unsigned long x3 __asm__("x3") = a[3];
    register unsigned long x4 __asm__("x4") = a[4];
    register unsigned long x5 __asm__("x5") = a[5];
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return (long)x0;
#endif
}

int main(void) {
    size_t length = 0;
    for (;;) {
        ssize_t count = read(0, input + length, sizeof input - 1 - length);
        if (count <= 0) break;
        length += (size_t)count;
    }
    for (char *place = input; *place;) {
        unsigned long words[7];
        for (int i = 0; i < 7; i++) {
            while (*place == ' ') place++;
            unsigned long base = 0;
            if (*place == '@') {
                base = (unsigned long)page;
                place++;
            }
            words[i] = base + strtoul(place, &place, 16);
        }
        while (*place == '\n') place++;
        long result = call((long)(int)words[0], words + 1);
        char line[64];
        int size = snprintf(line, sizeof line, "%d %ld\n", (int)words[0], result < 0 && result > -4096 ? result : 0);
        if (write(1, line, (size_t)size) != size) return 1;
    }
    return 0;
}
