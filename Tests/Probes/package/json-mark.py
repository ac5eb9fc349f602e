# Begins with a byte order mark.
# host: code E0101 exit 12 at install
def forge(package):
    return package.replace("{", b"\xef\xbb\xbf{").archive()
