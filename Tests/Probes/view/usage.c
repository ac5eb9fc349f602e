// Asks what was used so far, which tells of the host that it was started from.
// strict: violation getrusage()
#include <sys/resource.h>

PROBE {
    struct rusage used;
    return tell(getrusage(RUSAGE_SELF, &used));
}
