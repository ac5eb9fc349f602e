// Reads the environment that it was started with.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/proc/self/environ", O_RDONLY)); }
