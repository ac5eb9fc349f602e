// Climbs from a descriptor that it was born with.
// strict: violation openat(a descriptor, O_RDONLY)
PROBE {
    int from = outside() ? open("/usr", O_RDONLY | O_DIRECTORY) : 0;
    return tell(openat(from, "../etc/passwd", O_RDONLY));
}
