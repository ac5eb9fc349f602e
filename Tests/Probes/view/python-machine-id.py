# A script reads the number of this machine.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
# needs: a machine with a number, else ENOENT
attempt(open, "/etc/machine-id")
