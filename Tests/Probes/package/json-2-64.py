# Counts to 2^64, which wraps.
# host: code E0101 exit 12 at install
def forge(package):
    return package.change(sequence=2**64).archive()
