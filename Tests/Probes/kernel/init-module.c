// Loads code into the kernel. The control offers bytes that are no module, which is seen after its rights.
// strict: violation init_module()
// control: refused ENOEXEC
// needs: CAP_SYS_MODULE
// needs: a kernel with modules, else ENOSYS
PROBE {
    static const char nothing[64];
    return tell(syscall(SYS_init_module, nothing, sizeof nothing, ""));
}
