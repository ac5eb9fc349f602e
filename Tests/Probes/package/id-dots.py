# Has an id with an empty label.
# host: code E0108 exit 12 at install
def forge(package):
    return package.change(id="org.escrow.probes..good").archive()
