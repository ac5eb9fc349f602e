// Asks for the disk before everybody else.
// strict: violation ioprio_set()
PROBE { return tell(syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4)); }
