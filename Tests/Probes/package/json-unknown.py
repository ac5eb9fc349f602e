# Holds a member that this host does not know.
# host: code E0102 exit 12 at install
def forge(package):
    return package.change(egres=[]).archive()
