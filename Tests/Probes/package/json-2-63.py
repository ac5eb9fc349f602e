# Counts to the last number there is, so that no next version can be.
# host: code E0106 exit 12 at install
def forge(package):
    return package.change(sequence=2**63 - 1).archive()
