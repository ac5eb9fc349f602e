# A script leaves a list of locks that the kernel wakes by shared keys when the thread ends.
# runtime: refused ENOSYS
number = {"x86_64": 273, "aarch64": 99}[os.uname().machine]
head = (ctypes.c_void_p * 3)()
head[0] = ctypes.addressof(head)
tell(libc.syscall(number, head, 24))
