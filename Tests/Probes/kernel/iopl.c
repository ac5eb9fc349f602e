// Takes the right to ports of the machine, in a process that ends at once.
// strict: violation iopl()
// needs: x86-64
// needs: CAP_SYS_RAWIO
// needs: a kernel with port permissions, else ENOSYS
PROBE { return tell(syscall(SYS_iopl, 3)); }
