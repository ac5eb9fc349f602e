// Writes without end. The control stops at 4 MiB; since they are its output, its exit code tells.
// limits: outputBytes 100000
// strict: limit output
// control: exit 7
PROBE {
    static char block[1 << 16];
    for (int i = 0; i < 64 || !outside(); i++) {
        for (size_t done = 0; done < sizeof block;) {
            ssize_t count = write(1, block + done, sizeof block - done);
            if (count < 0) return 9;
            done += (size_t)count;
        }
    }
    return 7;
}
