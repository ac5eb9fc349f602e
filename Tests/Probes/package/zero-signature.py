# Signs with 64 zeros.
# host: code E0304 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope([(package.key_id, bytes(64))]))
