// Writes ten million times one byte, to keep the host busy: its own processor time ends it first.
// limits: cpuSeconds 1, outputBytes 1000000000, wallSeconds 90
// strict: limit cpu
// control: exit 7
PROBE {
    for (int i = 0; i < 100000 || !outside(); i++) {
        if (write(1, "x", 1) != 1) return 9;
    }
    return 7;
}
