# Counts for three years.
# host: code E0113 exit 12 at install
def forge(package):
    return package.change(expires=day(3 * 365)).archive()
