// Sends a signal with a value to its parent. The signal is 0.
// strict: violation rt_sigqueueinfo()
PROBE {
    siginfo_t information = {.si_code = SI_QUEUE};
    return tell(syscall(SYS_rt_sigqueueinfo, getppid(), 0, &information));
}
