# Nests 100 000 arrays.
# host: code E0101 exit 12 at install
def forge(package):
    return package.replace("{", '{"x-note":' + "[" * 100000 + "]" * 100000 + ",").archive()
