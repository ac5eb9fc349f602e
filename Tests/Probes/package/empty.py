# Is an empty file.
# host: code E0209 exit 12 at install
def forge(package):
    return b""
