// Asks for one signal later.
// strict: violation alarm()
// needs: x86-64
PROBE { return tell(syscall(SYS_alarm, 100)); }
