// Makes a file without a name.
// strict: violation openat(AT_FDCWD, O_RDWR|O_TMPFILE)
PROBE { return tell(open(".", O_RDWR | O_TMPFILE, 0600)); }
