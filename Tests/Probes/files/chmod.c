// Opens a file of the person's to everybody.
// argument: canary
// strict: violation fchmodat()
PROBE { return tell(syscall(SYS_fchmodat, AT_FDCWD, argument[1], 0666)); }
