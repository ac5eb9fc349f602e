// Reads a file of the person's, by a path that it was told.
// argument: canary
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open(argument[1], O_RDONLY)); }
