# Is cut off within a file.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive()[:8192]
