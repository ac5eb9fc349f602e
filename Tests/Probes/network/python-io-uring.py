# A script makes a ring, whose operations no filter sees.
# runtime: refused ENOSYS
# needs: a kernel with io_uring, else ENOSYS EPERM
tell(libc.syscall(425, 1, ctypes.create_string_buffer(120)))
