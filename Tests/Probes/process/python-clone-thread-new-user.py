# A script asks for a thread in a new user namespace. The kernel itself refuses the two together, and so it does
# outside.
# runtime: violation clone(CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_NEWUSER)
# control: refused EINVAL
# needs: x86-64
tell(libc.syscall(56, 0x10000000 | 0x10F00, 0, 0, 0, 0))
