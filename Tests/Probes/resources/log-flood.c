// Writes to its log without end, with what would clear a terminal. The control stops at 1 MiB.
// limits: logBytes 1000
// strict: limit log
PROBE {
    static char block[1 << 16];
    for (size_t i = 0; i + 8 < sizeof block; i += 8) memcpy(block + i, "\033[2J\033c\n", 8);
    for (int i = 0; i < 16 || !outside(); i++) {
        if (write(2, block, sizeof block) < 0) return 9;
    }
    return tell(0);
}
