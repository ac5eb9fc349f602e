// Asks whether its input is a terminal, as honest programs do: it is told no. The control has one.
// strict: refused ENOTTY
#include <sys/ioctl.h>
#include <asm/termbits.h>

PROBE {
    struct termios settings;
    own_terminal();
    return tell(ioctl(0, TCGETS, &settings));
}
