// Asks how much waits in its input.
// strict: violation ioctl(FIONREAD)
#include <sys/ioctl.h>

PROBE {
    int waiting;
    return tell(ioctl(0, FIONREAD, &waiting));
}
