# A script lists who lives on this machine.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
attempt(os.listdir, "/home")
