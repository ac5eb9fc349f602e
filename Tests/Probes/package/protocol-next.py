# Speaks a protocol that this host does not know.
# host: code E0106 exit 12 at install
def forge(package):
    return package.change(protocol={**package.manifest["protocol"], "major": 2}).archive()
