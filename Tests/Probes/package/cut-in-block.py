# Is cut off within a block.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive()[:-100]
