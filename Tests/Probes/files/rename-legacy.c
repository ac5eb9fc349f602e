// Gives a file another name by the oldest call.
// strict: violation rename()
// needs: x86-64
PROBE { return tell(syscall(SYS_rename, "canary", "gone")); }
