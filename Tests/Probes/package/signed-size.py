# Signs the right digest and another size.
# host: code E0301 exit 12 at run
def forge(package):
    manifest = package.manifest
    manifest["artifacts"][0]["size"] += 1
    return package.upgrade().say({**manifest, "version": "1.1.0", "sequence": 6}).archive()
