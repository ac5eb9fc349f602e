// Crashes while it ignores that signal.
// strict: signal SIGSEGV
// control: signal SIGSEGV
PROBE {
    signal(SIGSEGV, SIG_IGN);
    *(volatile int *)16 = 1;
    return 9;
}
