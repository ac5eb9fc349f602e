// Walks through procfs to the root directory.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/proc/self/root/etc/passwd", O_RDONLY)); }
