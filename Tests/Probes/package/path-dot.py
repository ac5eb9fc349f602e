# Begins a name with a dot and a slash.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("./probe", b"x"))
