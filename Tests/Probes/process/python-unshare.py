# A script moves into a new user namespace.
# runtime: violation unshare(CLONE_NEWUSER)
# needs: a machine with user namespaces, else EPERM ENOSPC
tell(libc.unshare(0x10000000))
