# Is a script, and asks for the profile of executables.
# host: code E0117 exit 12 at install
def forge(package):
    return package.replace('"linkage": "static"' if b'"linkage": "static"' in package.text else '"linkage":"static"', '"interpreter":"sh"').archive()
