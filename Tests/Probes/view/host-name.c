// Reads the machine's name where it is set.
// strict: violation openat(AT_FDCWD, O_RDONLY)
// needs: a machine with a name, else ENOENT
PROBE { return tell(open("/etc/hostname", O_RDONLY)); }
