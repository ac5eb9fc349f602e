// Opens a file of the person's to change it.
// argument: canary
// strict: violation openat(AT_FDCWD, O_WRONLY)
PROBE { return tell(open(argument[1], O_WRONLY)); }
