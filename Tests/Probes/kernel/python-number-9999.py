# A script makes a call with a number that nobody has.
# runtime: violation syscall beyond 1023
# control: refused ENOSYS
tell(libc.syscall(9999))
