# Holds a comment.
# host: code E0101 exit 12 at install
def forge(package):
    return package.replace("{", "{ /* harmless */ ").archive()
