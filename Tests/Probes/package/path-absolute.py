# Names a file from the root.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("/tmp/evil", b"x"))
