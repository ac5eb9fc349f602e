// Gives a file another name.
// strict: violation renameat2()
PROBE { return tell(syscall(SYS_renameat2, AT_FDCWD, "canary", AT_FDCWD, "gone", 0)); }
