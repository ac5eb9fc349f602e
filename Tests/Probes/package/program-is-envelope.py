# Says that its program is the envelope.
# host: code E0115 exit 12 at install
def forge(package):
    return package.replace('"bin/probe"', '"manifest.dsse.json"').archive()
