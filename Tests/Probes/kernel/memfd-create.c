// Makes a file in memory, beyond every limit.
// strict: violation memfd_create()
PROBE { return tell(syscall(SYS_memfd_create, "x", 0)); }
