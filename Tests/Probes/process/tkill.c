// Signals a thread by the old call.
// strict: violation tkill()
PROBE { return tell(syscall(SYS_tkill, getpid(), 0)); }
