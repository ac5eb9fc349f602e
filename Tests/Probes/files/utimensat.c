// Hides a number in a file's times.
// argument: canary
// strict: violation utimensat()
#include <sys/stat.h>

PROBE {
    struct timespec times[2] = {{1, 2}, {3, 4}};
    return tell(utimensat(AT_FDCWD, argument[1], times, 0));
}
