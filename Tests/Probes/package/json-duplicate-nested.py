# Says twice how large its result is.
# host: code E0107 exit 12 at install
def forge(package):
    return package.replace('"maxBytes"', '"maxBytes":1,"maxBytes"').archive()
