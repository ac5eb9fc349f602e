# A script stores bytes in the kernel, in a keyring that ends with its process.
# runtime: violation add_key()
# needs: x86-64
# needs: a kernel with keys, else ENOSYS
tell(libc.syscall(248, b"user", b"probe", b"x", 1, -2))
