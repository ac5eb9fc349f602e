// Makes the call with the number -1. The kernel answers that there is none, and so it does outside.
// strict: violation syscall -1
// control: refused ENOSYS
PROBE { return tell(syscall(-1)); }
