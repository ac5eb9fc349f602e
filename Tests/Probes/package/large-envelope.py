# Begins with an envelope of 2 MiB.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(envelope=b" " * (2 << 20))
