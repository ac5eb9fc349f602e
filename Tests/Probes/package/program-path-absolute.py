# Says that its program is one of the machine's.
# host: code E0115 exit 12 at install
def forge(package):
    return package.replace('"bin/probe"', '"/bin/sh"').archive()
