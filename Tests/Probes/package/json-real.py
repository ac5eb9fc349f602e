# Counts 6.0 versions.
# host: code E0104 exit 12 at install
def forge(package):
    return package.change(sequence=6.0).archive()
