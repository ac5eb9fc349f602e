# A script walks to the root directory by one of its threads.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, f"/proc/self/task/{os.getpid()}/root/etc/passwd")
