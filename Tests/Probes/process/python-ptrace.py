# A script traces another process: outside a child of its own.
# runtime: violation ptrace()
child = os.fork() if outside() else 0
if outside() and child == 0:
    os.read(0, 1)
    libc.pause()
tell(libc.ptrace(0x4206, child, 0, 0))
