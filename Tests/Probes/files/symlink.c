// Makes a symbolic link to a file of the person's.
// strict: violation symlinkat()
PROBE { return tell(symlinkat("/etc/passwd", AT_FDCWD, "link")); }
