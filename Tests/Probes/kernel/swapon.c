// Adds swap space. The control names a file that is not there, which is seen after its rights.
// strict: violation swapon()
// control: refused ENOENT
// needs: CAP_SYS_ADMIN
PROBE { return tell(syscall(SYS_swapon, "escrow-probe", 0)); }
