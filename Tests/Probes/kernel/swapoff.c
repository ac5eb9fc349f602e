// Removes swap space. The control names a file that is not there, which is seen after its rights.
// strict: violation swapoff()
// control: refused ENOENT
// needs: CAP_SYS_ADMIN
PROBE { return tell(syscall(SYS_swapoff, "escrow-probe")); }
