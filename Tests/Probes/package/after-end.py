# Has a file behind its end.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive() + member("evil.txt", b"x") + bytes(1024)
