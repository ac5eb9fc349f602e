// Makes a file.
// strict: violation openat(AT_FDCWD, O_WRONLY|O_CREAT)
PROBE { return tell(open("new", O_WRONLY | O_CREAT | O_EXCL, 0600)); }
