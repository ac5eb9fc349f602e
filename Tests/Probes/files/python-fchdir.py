# A script goes to a directory that it may read, by a descriptor.
# runtime: violation fchdir()
attempt(os.fchdir, os.open(os.path.dirname(os.__file__), os.O_RDONLY))
