# Spells a size with spaces.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil.txt", b"x", length=b"          1 "))
