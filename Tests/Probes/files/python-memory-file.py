# A script writes to its own memory by a file, past the protection of pages.
# runtime: violation openat(AT_FDCWD, O_RDWR)
attempt(open, "/proc/self/mem", "r+b")
