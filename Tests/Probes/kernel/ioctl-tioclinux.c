// Selects and pastes text on the console (CVE-2023-28100). The control only asks which shift keys are down.
// strict: violation ioctl(TIOCLINUX)
// needs: a machine with a console, else ENOENT ENXIO ENODEV EACCES ENOTTY EIO
#include <sys/ioctl.h>

PROBE {
    char shift_state = 6;
    if (outside()) {
        int console = open("/dev/tty1", O_RDONLY | O_NOCTTY);
        if (console < 0) return tell(console);
        dup2(console, 0);
    }
    return tell(ioctl(0, TIOCLINUX, &shift_state));
}
