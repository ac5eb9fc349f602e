# A script reads the environment of the host.
# argument: host
# runtime: refused ENOENT
attempt(open, f"/proc/{sys.argv[1]}/environ")
