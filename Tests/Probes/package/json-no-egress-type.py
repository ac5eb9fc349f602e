# Says null where it must say what it sends.
# host: code E0104 exit 12 at install
def forge(package):
    return package.change(egress=None).archive()
