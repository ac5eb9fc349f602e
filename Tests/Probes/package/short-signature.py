# Has a signature of 63 bytes.
# host: code E0313 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope([(package.key_id, package.signature()[:63])]))
