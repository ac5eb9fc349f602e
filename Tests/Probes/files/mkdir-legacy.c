// Makes a directory by the oldest call.
// strict: violation mkdir()
// needs: x86-64
PROBE { return tell(syscall(SYS_mkdir, "directory", 0700)); }
