# A script reads the list of accounts.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(open, "/etc/passwd")
