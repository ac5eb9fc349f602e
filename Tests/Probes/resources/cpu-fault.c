// Faults, and goes back to fault again, for ever.
// limits: cpuSeconds 1
// strict: limit cpu
static volatile unsigned long faults;

static void again(int number) {
    faults += (unsigned long)number;
    if (spent()) _exit(tell(0));
}

PROBE {
    signal(SIGSEGV, again);
    *(volatile int *)16 = 1;
    return 9;
}
