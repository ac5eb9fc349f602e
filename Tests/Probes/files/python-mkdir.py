# A script makes directories beside itself, to use up the file system's inodes.
# runtime: violation mkdir()
# needs: x86-64
attempt(os.mkdir, os.path.dirname(os.path.abspath(sys.argv[0])) + "/directory")
