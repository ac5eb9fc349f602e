// Names a file by an address that is not its own, to see who trips over it.
// strict: refused EFAULT
// control: refused EFAULT
PROBE { return tell(syscall(SYS_openat, AT_FDCWD, 16, O_RDONLY)); }
