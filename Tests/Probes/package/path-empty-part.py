# Names a file with two slashes.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin//probe", b"x"))
