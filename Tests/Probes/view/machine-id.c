// Reads the number of this machine.
// strict: violation openat(AT_FDCWD, O_RDONLY)
// needs: a machine with a number, else ENOENT
PROBE { return tell(open("/etc/machine-id", O_RDONLY)); }
