// Takes a group id: the one that it has.
// strict: violation setgid()
PROBE { return tell(syscall(SYS_setgid, getgid())); }
