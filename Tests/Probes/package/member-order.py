# Ships files out of order.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/aaa", b"x"))
