// Goes to a directory by a descriptor.
// strict: violation fchdir()
PROBE { return tell(fchdir(outside() ? open("/usr", O_RDONLY | O_DIRECTORY) : 0)); }
