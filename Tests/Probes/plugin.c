/* A plugin that breaks one rule of the protocol. The file PROBE says which: MISDEED { ... return status; }.
 *
 * Run with the parameter behave=behave-well the same program reads its rows and returns HONEST instead: its control,
 * without which "it was refused" could mean that it never ran. A filter gets no parameters, so that it finds the word
 * in a column of its rows. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MISDEED static int misdeed(void)
/* A misdeed that is one text, said after the rows or before anything else. */
#define SAYS(text) MISDEED { rows(); say(text); return 0; }
#define SAYS_AT_ONCE(text) MISDEED { say(text); return 0; }
#define UNUSED __attribute__((unused))

/* The line that the host wrote last, without its end; a filter's whole input. */
static char line[4 << 20];

/* Writes past any buffer of the C library; quietly ends the program where nobody reads any more. */
UNUSED static void put(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t wrote = write(1, next, count);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) _exit(0);
        next += wrote;
        count -= (size_t)wrote;
    }
}

UNUSED static void say(const char *text) { put(text, strlen(text)); }

/* Writes a text many times, in large pieces. */
UNUSED static void repeat(const char *text, size_t times) {
    static char piece[1 << 16];
    size_t length = strlen(text), fits = sizeof piece / length;
    for (size_t i = 0; i < fits; i++) memcpy(piece + i * length, text, length);
    for (; times > fits; times -= fits) put(piece, fits * length);
    put(piece, times * length);
}

/* Reads up to `most` bytes of the host's; 0 at the end of its output. Lines and raw bytes come through this one buffer. */
UNUSED static size_t take(char *into, size_t most) {
    static char input[1 << 16];
    static size_t next, end;
    if (next == end) {
        ssize_t got = read(0, input, sizeof input);
        if (got <= 0) return 0;
        next = 0;
        end = (size_t)got;
    }
    size_t count = most < end - next ? most : end - next;
    memcpy(into, input + next, count);
    next += count;
    return count;
}

/* Reads one line of the host's; false at the end of its output. */
UNUSED static int hear(void) {
    for (size_t length = 0; length < sizeof line && take(line + length, 1); length++) {
        if (line[length] != '\n') continue;
        line[length] = 0;
        return 1;
    }
    return 0;
}

/* Asks once for up to `most` rows as JSON; true if there are more. */
UNUSED static int ask(int most) {
    char text[80];
    snprintf(text, sizeof text, "{\"ask\":\"rows\",\"rows\":\"json\",\"max\":%d}\n", most);
    say(text);
    return hear() && strstr(line, "\"more\":true") != NULL;
}

/* Reads all rows; the last answer stays in `line`. */
UNUSED static void rows(void) {
    while (ask(1000)) {
    }
}

/* The first cell of the last answer, a text. */
UNUSED static const char *cell(void) {
    static char text[512];
    const char *start = strstr(line, "[[\"");
    size_t length = 0;
    if (start)
        for (start += 3; length < sizeof text - 1 && start[length] != '"'; length++) text[length] = start[length];
    text[length] = 0;
    return text;
}

/* Asks for an asset by a handle; true if the host gives bytes, which come next. */
UNUSED static int gets_asset(const char *handle) {
    say("{\"ask\":\"asset\",\"id\":\"");
    say(handle);
    say("\"}\n");
    return hear() && strncmp(line, "{\"asset\":", 9) == 0;
}

/* An Arrow stream of one column and no rows. */
extern const char no_rows[], no_rows_end[];
__asm__(".section .rodata\n"
        ".global no_rows, no_rows_end\n"
        "no_rows: .incbin \"Vectors/arrow/good.no-rows.arrow\"\n"
        "no_rows_end: .previous\n");

/* For a misdeed that the host answers and survives: 1 if it worked, 0 if not. */
UNUSED static int tell(int worked) {
    say(worked ? "{\"result\":{\"n\":1}}\n" : "{\"result\":{\"n\":0}}\n");
    return 0;
}

UNUSED static void wait_for_ever(void) {
    for (;;) {
        struct timespec minute = {60, 0};
        nanosleep(&minute, NULL);
    }
}

#include PROBE

#ifndef HONEST
#define HONEST "{\"result\":{\"n\":1}}\n"
#endif

static int honest(void) {
#ifdef NO_ROWS
    put(no_rows, (size_t)(no_rows_end - no_rows));
#else
    say(HONEST);
#endif
    return 0;
}

#ifdef FILTER
int main(void) {
    size_t length = 0;
    /* Who is to read nothing still has to learn which of the two it is. */
#ifdef READS_NOTHING
    length = take(line, sizeof line);
#else
    for (size_t got; length < sizeof line && (got = take(line + length, sizeof line - length)) > 0;) length += got;
#endif
    return memmem(line, length, "behave-well", 11) ? honest() : misdeed();
}
#else
#ifdef LEAVES_A_BYTE
/* Reads the host's first line up to its end, and leaves the end: the line is not read whole. */
static int hear_nearly(void) {
    int depth = 0;
    for (size_t length = 0; length < sizeof line - 1 && read(0, line + length, 1) == 1; length++) {
        if (line[length] == '{') depth++;
        if (line[length] == '}' && --depth == 0) return 1;
    }
    return 0;
}
#endif

int main(void) {
#ifdef LEAVES_A_BYTE
    if (!hear_nearly()) return 2;
    if (!strstr(line, "\"behave-well\"")) return misdeed();
    char end;
    if (read(0, &end, 1) != 1) return 2;
#else
    if (!hear()) return 2;
#endif
    if (!strstr(line, "\"behave-well\"")) return misdeed();
#ifndef WITHOUT_ROWS
    rows();
#endif
    return honest();
}
#endif
