# A script takes hold of a directory without opening it.
# runtime: violation openat(AT_FDCWD, O_RDONLY|O_PATH)
attempt(os.open, os.path.dirname(os.__file__), os.O_PATH)
