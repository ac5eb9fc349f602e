# Is older than what was installed with this key.
# host: code E0305 exit 12 at install
def forge(package):
    return package.change(version="0.9.0", sequence=4).archive()
