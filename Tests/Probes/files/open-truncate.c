// Empties a file of the person's with an open that only reads.
// argument: canary
// strict: violation openat(AT_FDCWD, O_RDONLY|O_TRUNC)
PROBE { return tell(open(argument[1], O_RDONLY | O_TRUNC)); }
