# Spells a size in binary, as GNU tar does from 8 GiB on.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("evil.txt", b"x", length=b"\x80" + bytes(7) + b"\0\0\0\1"))
