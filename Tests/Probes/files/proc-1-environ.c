// Reads the environment of the machine's first process.
// strict: violation openat(AT_FDCWD, O_RDONLY)
// needs: rights over process 1, else EACCES
PROBE { return tell(open("/proc/1/environ", O_RDONLY)); }
