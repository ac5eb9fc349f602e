// What a run leaves in the processors' caches of the file that it was started from. `residue mark BITS` uses one line of a page of
// its own program for each 1; `residue look` times how long the same lines take to read, and prints a 1 for each that somebody had
// used. BITS are at most 64 of 0 and 1.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

#define PAGES 64
#define PAGE 4096
#define LINE 1088

// Not zero, so that it is in the file.
static const volatile uint8_t text[PAGES * PAGE] __attribute__((aligned(PAGE))) = {1};

static uint64_t reading(const volatile uint8_t *at) {
    unsigned core;
    _mm_mfence();
    uint64_t begin = __rdtscp(&core);
    _mm_lfence();
    (void)*at;
    _mm_lfence();
    return __rdtscp(&core) - begin;
}

int main(int count, char **argument) {
    if (count > 2 && strcmp(argument[1], "mark") == 0) {
        for (int turn = 0; turn < 200; turn++) {
            for (int page = 0; page < PAGES && argument[2][page]; page++) {
                if (argument[2][page] == '1') (void)text[page * PAGE + LINE];
            }
        }
        return 0;
    }
    // What a read takes of a line that is in the caches, and of one that is not.
    uint64_t kept = ~0ull, gone = ~0ull;
    for (int turn = 0; turn < 100; turn++) {
        const volatile uint8_t *line = text + 3 * PAGE;
        (void)*line;
        uint64_t time = reading(line);
        if (time < kept) kept = time;
        _mm_clflush((const void *)line);
        _mm_mfence();
        time = reading(line);
        if (time < gone) gone = time;
    }
    char seen[PAGES + 1] = {0};
    for (int i = 0; i < PAGES; i++) {
        // In an order that no prefetching guesses; the page itself is there first.
        int page = i * 29 % PAGES;
        (void)text[page * PAGE + 3072];
        seen[page] = reading(text + page * PAGE + LINE) < (kept + gone) / 2 ? '1' : '0';
    }
    puts(seen);
    return 0;
}
