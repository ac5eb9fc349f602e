# A script counts its own processor events.
# runtime: violation perf_event_open()
# needs: x86-64
# needs: a kernel with performance events, else ENOSYS EACCES
counter = (ctypes.c_uint64 * 16)(1 | 128 << 32, 1, 0, 0, 0, 1 << 5)
tell(libc.syscall(298, counter, 0, -1, -1, 0))
