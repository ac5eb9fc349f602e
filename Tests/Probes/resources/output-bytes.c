// Writes without end, one byte a call. The control stops at 100,000; since they are its output, its exit code tells.
// limits: outputBytes 50000
// strict: limit output
// control: exit 7
PROBE {
    for (int i = 0; i < 100000 || !outside(); i++) {
        if (write(1, "x", 1) != 1) return 9;
    }
    return 7;
}
