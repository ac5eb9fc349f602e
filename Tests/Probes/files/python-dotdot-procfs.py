# A script climbs out of the tree of its libraries by a spelling that looks as if it stayed within /proc.
# Its own root has no such file: this one is held by the mount namespace, not by the reading of paths.
# runtime: refused ENOENT
tree = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
attempt(open, f"/proc/self/fd/{tree}/../../../etc/passwd")
