// Crashes: a division by zero.
// strict: signal SIGFPE
// control: signal SIGFPE
// needs: x86-64
PROBE {
    volatile int one = 1, zero = 0;
    return one / zero;
}
