// Asks how full a file system is.
// strict: violation statfs()
#include "../probe.h"
#include <sys/statfs.h>

PROBE {
    struct statfs about;
    return tell(statfs("/", &about));
}
