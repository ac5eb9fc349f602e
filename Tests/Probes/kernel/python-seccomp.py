# A script asks which actions filters may take.
# runtime: violation seccomp()
# needs: x86-64
tell(libc.syscall(317, 2, 0, ctypes.byref(ctypes.c_uint(0x7FFF0000))))
