# Carries data in the padding of a file.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive()[:-1025] + b"x" + bytes(1024)
