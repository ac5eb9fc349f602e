// Has every process of the machine written down. The control names a file that is not there, which is seen after its
// rights.
// strict: violation acct()
// control: refused ENOENT
// needs: CAP_SYS_PACCT
// needs: a kernel with accounting, else ENOSYS
PROBE { return tell(syscall(SYS_acct, "escrow-probe")); }
