# Names an interpreter by a path.
# host: code E0110 exit 12 at install
def forge(package):
    return package.replace('"linkage": "static"' if b'"linkage": "static"' in package.text else '"linkage":"static"', '"interpreter":"/bin/sh"').archive()
