// Makes a file by the oldest call.
// strict: violation creat()
// needs: x86-64
PROBE { return tell(syscall(SYS_creat, "new", 0600)); }
