# Puts the way up into the prefix of a long name.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil", b"x", prefix=b".."))
