// Asks for signals when its input changes.
// strict: violation ioctl(FIOASYNC)
#include <sys/ioctl.h>

PROBE {
    int on = 1;
    return tell(ioctl(0, FIOASYNC, &on));
}
