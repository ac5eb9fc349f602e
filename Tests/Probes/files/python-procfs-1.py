# A script reads the environment of process 1, which outside is the machine's first.
# runtime: refused ENOENT
# needs: rights over process 1, else EACCES
attempt(open, "/proc/1/environ")
