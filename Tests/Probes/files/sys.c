// Reads what the kernel tells of the machine.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/sys/kernel/profiling", O_RDONLY) >= 0 ? 0 : open("/sys", O_RDONLY)); }
