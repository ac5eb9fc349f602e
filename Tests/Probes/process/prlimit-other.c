// Reads a limit of another process.
// strict: violation prlimit64()
#include <sys/resource.h>

PROBE {
    struct rlimit limit;
    return tell(prlimit(outside() ? somebody() : 2, RLIMIT_NOFILE, NULL, &limit));
}
