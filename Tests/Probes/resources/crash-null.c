// Crashes: a bad address.
// strict: signal SIGSEGV
// control: signal SIGSEGV
PROBE {
    *(volatile int *)16 = 1;
    return 9;
}
