# Has an id in another letter case.
# host: code E0108 exit 12 at install
def forge(package):
    return package.change(id="org.escrow.probes.Good").archive()
