# Holds a NUL in its id.
# host: code E0101 exit 12 at install
def forge(package):
    return package.change(id=ID + "\0.evil").archive()
