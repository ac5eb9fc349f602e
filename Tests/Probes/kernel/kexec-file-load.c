// Boots another kernel from a file. The control sets a flag that does not exist, which is looked at after its rights.
// strict: violation kexec_file_load()
// control: refused EINVAL
// needs: CAP_SYS_BOOT
// needs: a kernel with kexec, else ENOSYS
PROBE { return tell(syscall(SYS_kexec_file_load, -1, -1, 0, NULL, 0x8000UL)); }
