// Two runs of one program that meet on its own text: one waits at an address of it, the other wakes whoever waits
// there. `meet wait` and `meet wake` print MET when they did; without an argument it waits for its input to end. Where
// text is one file for both, the kernel's key of a shared futex is the same, and each wake is a bit from one run to the
// other.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **argument) {
    uint32_t *place = (uint32_t *)((uintptr_t)main & ~(uintptr_t)3);
    int met = 0;
    puts("ready");
    fflush(stdout);
    if (count < 2) {
        char byte;
        while (read(0, &byte, 1) > 0) {
        }
        return 0;
    }
    if (argument[1][2] == 'i') {
        struct timespec most = {60, 0};
        met = syscall(SYS_futex, place, FUTEX_WAIT, *place, &most) == 0;
    } else {
        for (int i = 0; i < 4000 && !met; i++) {
            struct timespec pause = {0, 5000000};
            met = syscall(SYS_futex, place, FUTEX_WAKE, 1) > 0;
            if (!met) nanosleep(&pause, NULL);
        }
    }
    puts(met ? "MET" : "alone");
    return 0;
}
