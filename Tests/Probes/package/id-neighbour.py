# Has an id that begins like those that its key is trusted for.
# host: code E0317 exit 12 at install
def forge(package):
    return package.change(id="org.escrow.probes-evil.good").archive()
