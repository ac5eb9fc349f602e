// Takes the right to one port of the machine, in a process that ends at once. Port 0x80 only ever shows numbers at
// boot.
// strict: violation ioperm()
// needs: x86-64
// needs: CAP_SYS_RAWIO
// needs: a kernel with port permissions, else ENOSYS
PROBE { return tell(syscall(SYS_ioperm, 0x80, 1, 1)); }
