# Hides the end of a name behind a NUL.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member(b"bin/probe\0.txt", b"x"))
