# A script climbs out of a tree that it may ask about.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, "/usr/../etc/passwd")
