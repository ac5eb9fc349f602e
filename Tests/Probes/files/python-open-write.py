# A script opens a file of the person's to change it.
# argument: canary
# runtime: violation openat(AT_FDCWD, O_RDWR)
attempt(open, sys.argv[1], "r+")
