// Reads its rows and opens a file of the machine.
// host: code E0511 exit 14
// says: it called openat(
#include <fcntl.h>

MISDEED {
    rows();
    return tell(open("/etc/passwd", O_RDONLY) >= 0);
}
