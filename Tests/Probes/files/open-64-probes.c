// Asks 64 times for what a runtime asks for: told no each time, and nothing more.
// strict: refused ENOENT
PROBE {
    int result = -1;
    for (int i = 0; i < 64; i++) {
        result = open("/proc/self/maps", O_RDONLY);
        if (result >= 0) close(result);
    }
    return tell(result);
}
