// Types into the terminal, with bit 32 set, which the kernel ignores and a careless filter compares (CVE-2019-10063).
// The control has a terminal of its own.
// strict: violation ioctl(TIOCSTI)
// needs: a kernel that lets terminals be typed into, else EIO EPERM
#include <sys/ioctl.h>

PROBE {
    own_terminal();
    return tell(syscall(SYS_ioctl, 0, 0x100000000UL | TIOCSTI, "x"));
}
