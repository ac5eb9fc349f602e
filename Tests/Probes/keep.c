// A program for the tests of warm starts. It keeps what it was given in memory that a second run of the same process
// would see, and tells what it found there. Its argument is what it does before it reads:
//   state    nothing          early    writes on stdout and stderr
//   violate  opens a socket   die      ends         spin     works for ever
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

static char kept[65536] = "nothing";

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "state";
    unsigned long id = 0;
    if (getrandom(&id, sizeof id, 0) != sizeof id) return 2;
    if (!strcmp(what, "early")) {
        if (write(1, "early ", 6) != 6 || write(2, "early log", 9) != 9) return 3;
    } else if (!strcmp(what, "violate")) {
        socket(AF_INET, SOCK_STREAM, 0);
    } else if (!strcmp(what, "die")) {
        return 5;
    } else if (!strcmp(what, "spin")) {
        for (volatile int turning = 1; turning;) {
        }
    }
    printf("process %016lx found %s", id, kept);
    ssize_t size = 0, got;
    while ((got = read(0, kept + size, sizeof kept - 1 - (size_t)size)) > 0) size += got;
    kept[size] = 0;
    printf(" got %s\n", kept);
    return 0;
}
