// Opens a harmless device.
// strict: violation openat(AT_FDCWD, O_RDWR)
PROBE { return tell(open("/dev/null", O_RDWR)); }
