// Takes user ids: those that it has.
// strict: violation setresuid()
PROBE { return tell(syscall(SYS_setresuid, -1, -1, -1)); }
