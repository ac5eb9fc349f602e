# A script reads since when the machine runs, and how long it was idle.
# runtime: refused ENOENT
attempt(open, "/proc/uptime")
