// Reads the list of all keys.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/proc/keys", O_RDONLY)); }
