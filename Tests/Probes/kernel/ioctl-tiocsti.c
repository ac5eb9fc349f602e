// Types into the terminal. The control has a terminal of its own.
// strict: violation ioctl(TIOCSTI)
// needs: a kernel that lets terminals be typed into, else EIO EPERM
#include <sys/ioctl.h>

PROBE {
    own_terminal();
    return tell(ioctl(0, TIOCSTI, "x"));
}
