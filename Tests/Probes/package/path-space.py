# Puts a space into a name.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/pro be", b"x"))
