// Compares kernel objects with another process, which tells where they lie in memory.
// strict: violation kcmp()
// needs: a kernel with kcmp, else ENOSYS
PROBE { return tell(syscall(SYS_kcmp, getpid(), somebody(), 1 /* KCMP_VM */, 0, 0)); }
