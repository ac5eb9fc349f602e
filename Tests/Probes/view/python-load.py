# A script reads how busy the machine is.
# runtime: refused ENOENT
attempt(open, "/proc/loadavg")
