# A script climbs out of the tree of its libraries, from a descriptor of that tree.
# runtime: violation openat(a descriptor, O_RDONLY)
tree = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
attempt(lambda: os.open("../../../etc/passwd", os.O_RDONLY, dir_fd=tree))
