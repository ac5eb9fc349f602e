// Copies a file into a pipe without reading it.
// strict: violation sendfile()
#include <sys/sendfile.h>

PROBE {
    int file = 0, ends[2] = {0, 1};
    if (outside() && ((file = open("canary", O_RDONLY)) < 0 || pipe(ends) < 0)) give_up("pipe");
    return tell(sendfile(ends[1], file, NULL, 1));
}
