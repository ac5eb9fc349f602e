# Carries bits in a file's time.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil.txt", b"x", time=b"00000000001"))
