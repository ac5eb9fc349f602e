# A script makes a file that is in no directory, to run it.
# runtime: violation memfd_create()
attempt(os.memfd_create, "x")
