# A script makes a process by the newest spelling of fork, which is unknown inside.
# runtime: refused ENOSYS
child = libc.syscall(435, (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17), 64)
if child == 0:
    os._exit(0)
tell(child)
