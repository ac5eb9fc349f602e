// Asks how full a file system is.
// strict: violation statfs()
#include <sys/statfs.h>

PROBE {
    struct statfs about;
    return tell(statfs("/", &about));
}
