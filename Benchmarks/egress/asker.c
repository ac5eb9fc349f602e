// A plugin that asks for as many requests to the network as its parameter says, one after another, and does nothing else.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[65536], body[65536];

// A whole number after a name in the last line; 0 where there is none.
static long member(const char *name) {
    const char *at = strstr(line, name);
    return at ? atol(at + strlen(name)) : 0;
}

int main(void) {
    if (!fgets(line, sizeof line, stdin)) return 1;
    long calls = member("\"calls\":"), answered = 0;
    for (long call = 0; call < calls; call++) {
        printf("{\"ask\":\"fetch\",\"to\":\"place\",\"fields\":{\"lat\":60.37,\"lon\":5.27}}\n");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 1;
        size_t bytes = (size_t)member("\"bytes\":");
        if (bytes > sizeof body || fread(body, 1, bytes, stdin) != bytes) return 1;
        if (member("\"status\":") == 200) answered++;
    }
    printf("{\"result\":{\"answered\":%ld}}\n", answered);
    return 0;
}
