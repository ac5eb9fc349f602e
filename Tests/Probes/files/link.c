// Gives a file of the person's a second name.
// argument: canary
// strict: violation linkat()
PROBE { return tell(linkat(AT_FDCWD, argument[1], AT_FDCWD, "second", 0)); }
