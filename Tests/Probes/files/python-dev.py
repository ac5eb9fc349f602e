# A script opens a harmless device.
# runtime: refused ENOENT
attempt(open, "/dev/null")
