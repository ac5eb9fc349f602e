# Has an id with a Cyrillic letter.
# host: code E0108 exit 12 at install
def forge(package):
    return package.change(id="org.escrow.probes.gооd").archive()
