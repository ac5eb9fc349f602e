# A script reads which session and which program its host was started from.
# runtime: refused ENOENT
attempt(open, "/proc/self/cgroup")
