# A script reads the tree of devices.
# runtime: refused ENOENT
attempt(os.listdir, "/sys/class")
