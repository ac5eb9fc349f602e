# A script walks through procfs to the root directory.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, "/proc/self/root/etc/passwd")
