# Has an id of 129 bytes.
# host: code E0108 exit 12 at install
def forge(package):
    return package.change(id="org.escrow.probes." + "a" * 50 + "." + "b" * 60).archive()
