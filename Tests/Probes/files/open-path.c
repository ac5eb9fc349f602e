// Takes hold of the root without opening it.
// strict: violation openat(AT_FDCWD, O_RDONLY|O_PATH)
PROBE { return tell(open("/", O_PATH | O_DIRECTORY)); }
