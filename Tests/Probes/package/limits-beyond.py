# Asks for more memory than any plugin may.
# host: code E0106 exit 12 at install
def forge(package):
    return package.change(limits={"memoryMiB": 100000}).archive()
