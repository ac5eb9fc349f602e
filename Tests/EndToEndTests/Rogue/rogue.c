/* A plugin that misbehaves as its parameter "mode" says, after it has read every row. The tests sign it with a key that
 * their home trusts: a signature says who wrote a plugin, not that it is well behaved. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char line[1 << 20];
static char rows[1 << 20];

static int mode(const char *name)
{
    char member[64];
    snprintf(member, sizeof member, "\"mode\":\"%s\"", name);
    return strstr(line, member) != NULL;
}

/* Breaks the protocol when it is told to. */
static void babble(int number)
{
    (void)number;
    if (write(1, "babble\n", 7) < 0) _exit(5);
}

int main(void)
{
    if (!fgets(line, sizeof line, stdin)) return 2;
    if (mode("early-exit")) return 0;
    if (mode("signal")) {
        signal(SIGUSR1, babble);
        for (;;) sleep(1);
    }
    do {
        fputs("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1000}\n", stdout);
        fflush(stdout);
        if (!fgets(rows, sizeof rows, stdin)) return 3;
    } while (strstr(rows, "\"more\":true"));

    if (mode("socket")) socket(AF_INET, SOCK_STREAM, 0);
    if (mode("passwd")) {
        int file = open("/etc/passwd", O_RDONLY);
        if (file >= 0) {
            static char text[4096];
            ssize_t got = read(file, text, sizeof text - 1);
            fprintf(stderr, "read %zd bytes\n", got);
        }
    }
    if (mode("fork")) fork();
    if (mode("crash")) abort();
    if (mode("log")) fputs(rows, stderr);
    if (mode("progress")) puts("{\"progress\":0.25}\n{\"progress\":0.75}");
    if (mode("spin")) for (;;) { }
    if (mode("memory")) for (;;) { char *block = malloc(1 << 20); if (!block) abort(); memset(block, 1, 1 << 20); }
    if (mode("refuse")) { printf("{\"refuse\":{\"code\":\"not-enough-data\",\"message\":\"%.20s\"}}\n", "canary"); return 0; }
    if (mode("leak-line")) { fputs(rows, stdout); return 0; }
    if (mode("leak-result")) {
        /* The rows themselves as the result, where a number is declared. */
        char *end = strchr(rows, '\n');
        if (end) *end = 0;
        printf("{\"result\":{\"n\":%s}}\n", strchr(rows, '['));
        return 0;
    }
    if (mode("leak-member")) {
        /* The first name in the rows as the name of a member. */
        char *name = strstr(rows, "\",\"");
        if (name) printf("{\"%.13s\":1}\n", name + 3);
        return 0;
    }
    puts("{\"result\":{\"n\":1}}");
    if (mode("second-result")) puts("{\"result\":{\"n\":2}}");
    fflush(stdout);
    if (mode("late-socket")) socket(AF_INET, SOCK_STREAM, 0);
    if (mode("bad-exit")) return 7;
    return 0;
}
