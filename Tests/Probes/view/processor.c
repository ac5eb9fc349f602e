// Reads which processor the machine has, with its present speed.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/proc/cpuinfo", O_RDONLY)); }
