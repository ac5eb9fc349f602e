# A script makes a file without a name.
# runtime: violation openat(AT_FDCWD, O_RDWR|O_TMPFILE)
attempt(os.open, os.path.dirname(os.path.abspath(sys.argv[0])), os.O_TMPFILE | os.O_RDWR)
