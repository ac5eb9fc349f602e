// Opens the machine's memory.
// strict: violation openat(AT_FDCWD, O_RDONLY)
// needs: CAP_SYS_RAWIO
// needs: a device of memory, else ENOENT EPERM
PROBE { return tell(open("/dev/mem", O_RDONLY)); }
