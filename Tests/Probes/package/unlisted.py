# Ships a file that the manifest does not list.
# host: code E0202 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil.txt", b"x"))
