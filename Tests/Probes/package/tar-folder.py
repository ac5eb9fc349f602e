# Ships a folder.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil.txt", b"x", kind=b"5"))
