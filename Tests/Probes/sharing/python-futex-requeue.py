# A script moves waiters to a key that other processes may have too.
# runtime: violation futex(FUTEX_CMP_REQUEUE)
number = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
words = (ctypes.c_uint32 * 2)(0, 0)
tell(libc.syscall(number, words, 4, 1, ctypes.c_long(1), ctypes.byref(words, 4), 0))
