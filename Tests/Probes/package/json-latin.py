# Is written in another encoding.
# host: code E0101 exit 12 at install
def forge(package):
    return package.replace("A probe", b"caf\xe9").archive()
