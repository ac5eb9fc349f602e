// An honest twin: copies stdin to stdout, as a filter does, and ends well.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(65536);
    size_t count;
    if (!buffer) return 2;
    while ((count = fread(buffer, 1, 65536, stdin)) > 0) {
        if (fwrite(buffer, 1, count, stdout) != count) return 3;
    }
    free(buffer);
    return fflush(stdout) == 0 ? 0 : 3;
}
