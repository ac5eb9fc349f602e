// Boots another kernel. The control asks with the number of a machine that does not exist, which is looked at after
// its rights.
// strict: violation kexec_load()
// control: refused EINVAL
// needs: CAP_SYS_BOOT
// needs: a kernel with kexec, else ENOSYS
PROBE { return tell(syscall(SYS_kexec_load, 0, 0, NULL, 0x7fff0000UL)); }
