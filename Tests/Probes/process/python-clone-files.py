# A script makes a process that shares its descriptors but is no thread of its own.
# runtime: violation clone(CLONE_FILES)
# needs: x86-64
child = libc.syscall(56, 0x400 | 17, 0, 0, 0, 0)
if child == 0:
    os._exit(0)
tell(child)
