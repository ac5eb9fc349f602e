# Has an id that is a path.
# host: code E0108 exit 12 at install
def forge(package):
    return package.change(id="org.escrow.probes.good/../../evil").archive()
