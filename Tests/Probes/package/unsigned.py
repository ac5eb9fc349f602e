# Has no signature.
# host: code E0302 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope([]))
