# Is no JSON.
# host: code E0313 exit 12 at install
def forge(package):
    return package.archive(envelope=b"MZ" + bytes(100))
