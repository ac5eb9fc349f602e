// Climbs out of a directory where a runtime may look around.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE { return tell(open("/usr/lib/locale/../../../etc/passwd", O_RDONLY)); }
