// Makes a call with a number that nobody has. The kernel answers that there is none, and so it does outside.
// strict: violation syscall beyond 1023
// control: refused ENOSYS
PROBE { return tell(syscall(9999)); }
