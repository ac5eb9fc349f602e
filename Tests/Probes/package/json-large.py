# Has 300 KiB.
# host: code E0101 exit 12 at install
def forge(package):
    return package.change(**{"x-note": "x" * 300000}).archive()
