# A script reads which network interfaces the machine has.
# runtime: refused ENOENT
attempt(open, "/proc/self/net/dev")
