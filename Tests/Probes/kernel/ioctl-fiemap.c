// Asks where the bytes of a file lie on the disk. The control asks about a file of its own.
// strict: violation ioctl(FS_IOC_FIEMAP)
// needs: a file system with maps, else EOPNOTSUPP ENOTTY
#include <sys/ioctl.h>
#include <linux/fs.h>
#include <linux/fiemap.h>

PROBE {
    struct fiemap map = {.fm_length = ~0ULL};
    if (outside() && dup2(open("mine", O_RDWR | O_CREAT, 0600), 0) < 0) give_up("open");
    return tell(ioctl(0, FS_IOC_FIEMAP, &map));
}
