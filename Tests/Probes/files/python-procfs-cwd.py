# A script walks through procfs to its working directory.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, "/proc/self/cwd/canary")
