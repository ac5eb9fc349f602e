# A script reads what the kernel tells of the machine.
# runtime: refused ENOENT
attempt(open, "/proc/cpuinfo")
