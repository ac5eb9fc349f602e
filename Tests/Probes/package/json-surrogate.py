# Holds half a surrogate pair.
# host: code E0101 exit 12 at install
def forge(package):
    return package.change(title="\ud800").archive()
