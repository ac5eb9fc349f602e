// Removes a file by the oldest call.
// strict: violation unlink()
// needs: x86-64
PROBE { return tell(syscall(SYS_unlink, "canary")); }
