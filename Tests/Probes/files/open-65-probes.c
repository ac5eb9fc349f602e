// Asks once too often for what a runtime asks for: a plugin that goes on is guessing.
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE {
    int result = -1;
    for (int i = 0; i < 65; i++) {
        result = open("/proc/self/maps", O_RDONLY);
        if (result >= 0) close(result);
    }
    return tell(result);
}
