// Changes the terminal. The control has one of its own.
// strict: violation ioctl(TCSETS)
#include <sys/ioctl.h>
#include <asm/termbits.h>

PROBE {
    struct termios settings = {0};
    own_terminal();
    return tell(ioctl(0, TCSETS, &settings));
}
