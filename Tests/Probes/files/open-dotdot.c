// Climbs out of the working directory.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("../../../../../../../../etc/passwd", O_RDONLY)); }
