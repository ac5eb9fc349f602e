// Removes code from the kernel. The control names none that exists, which is seen after its rights.
// strict: violation delete_module()
// control: refused ENOENT
// needs: CAP_SYS_MODULE
// needs: a kernel with modules, else ENOSYS
PROBE { return tell(syscall(SYS_delete_module, "escrow-probe", O_NONBLOCK)); }
