# A script waits on a key that other processes may have too.
# runtime: refused EAGAIN
number = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
word = ctypes.c_uint32(0)
most = (ctypes.c_long * 2)(0, 1000000)
result = libc.syscall(number, ctypes.byref(word), 0, 0, most, None, 0)
tell(0 if result < 0 and ctypes.get_errno() == errno.ETIMEDOUT else result)
