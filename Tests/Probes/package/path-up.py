# Names a file above the package.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("../evil", b"x"))
