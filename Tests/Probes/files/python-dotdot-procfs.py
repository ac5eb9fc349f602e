# A script climbs out of the tree of its libraries by a spelling that looks as if it stayed within /proc. There is no
# procfs to walk through.
# runtime: refused ENOENT
tree = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
attempt(open, f"/proc/self/fd/{tree}/../../../etc/passwd")
