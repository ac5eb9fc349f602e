# Lacks one of the two blocks at its end.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(end=bytes(512))
