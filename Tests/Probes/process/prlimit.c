// Sets a limit of its own, to what it is.
// strict: violation prlimit64()
#include <sys/resource.h>

PROBE {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) give_up("getrlimit");
    return tell(setrlimit(RLIMIT_NOFILE, &limit));
}
