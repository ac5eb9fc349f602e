# A script takes a handle on another process.
# runtime: refused ENOSYS
attempt(os.pidfd_open, os.getppid() if outside() else 1)
