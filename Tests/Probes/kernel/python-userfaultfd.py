# A script takes over page faults.
# runtime: violation userfaultfd()
# needs: x86-64
# needs: a kernel with userfaultfd, else ENOSYS
tell(libc.syscall(323, 1))
