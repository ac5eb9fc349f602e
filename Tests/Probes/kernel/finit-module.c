// Loads code into the kernel from a file. The control offers a file that is not open, which is seen after its rights.
// strict: violation finit_module()
// control: refused EBADF
// needs: CAP_SYS_MODULE
// needs: a kernel with modules, else ENOSYS
PROBE { return tell(syscall(SYS_finit_module, -1, "", 0)); }
