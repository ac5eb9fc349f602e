// Opens a file of the person's to write at its end.
// argument: canary
// strict: violation openat(AT_FDCWD, O_WRONLY|O_APPEND)
PROBE { return tell(open(argument[1], O_WRONLY | O_APPEND)); }
