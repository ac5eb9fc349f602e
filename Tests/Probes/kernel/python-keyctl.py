# A script looks into the session's keyring.
# runtime: violation keyctl()
# needs: x86-64
tell(libc.syscall(250, 0, -3, 1))
