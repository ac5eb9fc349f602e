# A script reads which user its own is outside.
# runtime: refused ENOENT
attempt(open, "/proc/self/uid_map")
