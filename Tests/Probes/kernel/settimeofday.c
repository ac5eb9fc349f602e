// Sets the clock: to nothing, which needs the right and changes nothing.
// strict: violation settimeofday()
// needs: CAP_SYS_TIME
PROBE { return tell(syscall(SYS_settimeofday, NULL, NULL)); }
