# Ships a header with a wrong checksum.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil.txt", b"x", checksum=b"000000\0 "))
