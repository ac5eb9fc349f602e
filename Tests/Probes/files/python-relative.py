# A script names a file from its working directory, which is the root.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
if outside():
    os.chdir("/")
attempt(open, "etc/passwd")
