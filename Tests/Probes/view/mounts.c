// Reads which disks the machine has.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/proc/self/mountinfo", O_RDONLY)); }
