// Keeps the kernel's locks busy: wakes nobody, for ever.
// limits: cpuSeconds 1
// strict: limit cpu
PROBE {
    static int word;
    while (!spent()) {
        for (int i = 0; i < 10000; i++) syscall(SYS_futex, &word, 129 /* FUTEX_WAKE_PRIVATE */, 1);
    }
    return tell(0);
}
