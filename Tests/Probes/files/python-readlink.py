# A script reads where procfs's link to the root directory leads.
# runtime: refused ENOENT
attempt(os.readlink, "/proc/self/root")
