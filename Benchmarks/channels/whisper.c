// A plugin that its result forbids to tell anything, and that tells it all the same: by how long it runs, or by how busy
// it keeps the processors. A filter of one NDJSON row: {"secret":"0110","role":"...","start":0,"step":0}.
//   role wait    runs for `secret` times `step` microseconds
//   role busy    from `start` on, for each character of `secret` one slot of `step` microseconds: computes in a 1, waits
//                in a 0
//   role listen  from `start` on, counts in each of as many slots how far it comes; its result is the counts
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void wait_until(long when) {
    struct timespec time = {when / 1000000, when % 1000000 * 1000};
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL) != 0) {
    }
}

static const char *member(const char *row, const char *name) {
    const char *at = strstr(row, name);
    return at ? at + strlen(name) : "";
}

int main(void) {
    static char row[4096], secret[1024];
    long begin = now();
    size_t size = fread(row, 1, sizeof row - 1, stdin);
    row[size] = 0;
    const char *text = member(row, "\"secret\":\"");
    size_t bits = strspn(text, "0123456789");
    if (bits >= sizeof secret) return 1;
    memcpy(secret, text, bits);
    const char *role = member(row, "\"role\":\"");
    long start = atol(member(row, "\"start\":")), step = atol(member(row, "\"step\":"));

    if (strncmp(role, "wait", 4) == 0) wait_until(begin + atol(secret) * step);
    printf("{\"seen\":[");
    if (strncmp(role, "wait", 4) != 0) wait_until(start);
    for (size_t slot = 0; slot < bits; slot++) {
        long end = start + (long)(slot + 1) * step, count = 0;
        if (strncmp(role, "busy", 4) == 0) {
            if (secret[slot] == '0') wait_until(end);
            while (now() < end) {
            }
        }
        if (strncmp(role, "listen", 6) == 0) {
            while (now() < end) count++;
            printf("%s%ld", slot ? "," : "", count);
        }
    }
    printf("]}\n");
    return 0;
}
