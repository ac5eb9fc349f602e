// Signals a thread of another process: outside the runner of these probes. The signal is 0.
// strict: violation tgkill()
PROBE { return tell(syscall(SYS_tgkill, getppid(), getppid(), 0)); }
