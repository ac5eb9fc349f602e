# A script makes a call with a number that nobody has.
# runtime: violation syscall 9999
# control: refused ENOSYS
tell(libc.syscall(9999))
