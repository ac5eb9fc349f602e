# Lacks the blocks at its end.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(end=b"")
