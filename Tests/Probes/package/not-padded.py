# Spells base64 without padding.
# host: code E0313 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope().replace(b"==", b"", 1))
