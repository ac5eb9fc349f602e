# A script reads a file of the person's, by a path that it was told.
# argument: canary
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, sys.argv[1])
