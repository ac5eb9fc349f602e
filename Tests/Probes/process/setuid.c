// Takes a user id: the one that it has.
// strict: violation setuid()
PROBE { return tell(syscall(SYS_setuid, getuid())); }
