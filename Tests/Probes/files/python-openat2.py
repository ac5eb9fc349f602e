# A script opens a file by the call whose flags lie behind a pointer, where no filter can read them.
# runtime: refused ENOSYS
tell(libc.syscall(437, -100, b"/etc/passwd", (ctypes.c_uint64 * 3)(), 24))
