// Reads which time zone the person set.
// strict: violation openat(AT_FDCWD, O_RDONLY)
// needs: a machine with a time zone, else ENOENT
PROBE { return tell(open("/etc/localtime", O_RDONLY)); }
