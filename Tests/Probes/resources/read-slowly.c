// Reads one byte at a time, with a pause after each. The control stops at three.
// limits: wallSeconds 1
// input: 1048576
// strict: limit wall
PROBE {
    char byte;
    for (int i = 0; i < 3 || !outside(); i++) {
        if (read(0, &byte, 1) != 1) return 9;
        rest(200);
    }
    return tell(0);
}
