# A script makes a file beside itself, to fill the file system or to leave a note for the next run.
# runtime: violation openat(AT_FDCWD, O_WRONLY|O_CREAT|O_TRUNC)
attempt(open, os.path.dirname(os.path.abspath(sys.argv[0])) + "/new", "w")
