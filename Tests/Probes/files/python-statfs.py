# A script asks how full the person's disk is.
# runtime: refused EPERM
attempt(os.statvfs, os.__file__)
