// Opens a file by the older of the two calls.
// strict: violation open(O_RDONLY)
// needs: x86-64
PROBE { return tell(syscall(SYS_open, "/etc/passwd", O_RDONLY)); }
