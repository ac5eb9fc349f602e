// What a run leaves in the processors' caches of the file that it was started from. `residue mark BITS` uses one line of a page of
// its own program for each 1; `residue look` times how long the same lines take to read, and prints a 1 for each that somebody had
// used. BITS are at most 64 of 0 and 1.
//
// `residue mark BITS tail` and `residue look tail` use 4 lines behind the end of the file: what is left of its last page. For that
// the file has a segment at TAIL, whose first line is the file's last.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

#define PAGES 64
#define PAGE 4096
#define LINE 1088
#define TAIL ((const volatile uint8_t *)0x20000000)
#define TAILS 4

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
    int tail = count > 1 && strcmp(argument[count - 1], "tail") == 0;
    int lines = tail ? TAILS : PAGES;
    const volatile uint8_t *first = tail ? TAIL + 704 : text + LINE;
    int apart = tail ? 896 : PAGE;
    if (count > 2 && strcmp(argument[1], "mark") == 0) {
        for (int turn = 0; turn < 200; turn++) {
            for (int i = 0; i < lines && argument[2][i]; i++) {
                if (argument[2][i] == '1') (void)first[i * apart];
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
    for (int i = 0; i < lines; i++) {
        // In an order that no prefetching guesses; the page itself is there first.
        int line = tail ? "2031"[i] - '0' : i * 29 % lines;
        if (tail) (void)TAIL[0];
        else (void)text[line * PAGE + 3072];
        seen[line] = reading(first + line * apart) < (kept + gone) / 2 ? '1' : '0';
    }
    // The next one is to find what the run before it used, and not what this one read.
    for (int i = 0; i < lines; i++) _mm_clflush((const void *)(first + i * apart));
    puts(seen);
    return 0;
}
