# A script moves into another namespace. The control moves into the one that it is in.
# runtime: violation setns(CLONE_NEWUTS)
# needs: CAP_SYS_ADMIN
tell(libc.setns(os.open("/proc/self/ns/uts", os.O_RDONLY) if outside() else 0, 0x4000000))
