# A script lists the processes of this machine.
# runtime: refused ENOENT
attempt(os.listdir, "/proc")
