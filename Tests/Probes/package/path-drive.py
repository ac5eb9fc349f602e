# Names a drive.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("C:evil", b"x"))
