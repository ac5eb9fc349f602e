# A script climbs out of the tree of its libraries.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, os.path.dirname(os.__file__) + "/../../../etc/passwd")
