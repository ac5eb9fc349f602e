# Spells one member in two ways.
# host: code E0107 exit 12 at install
def forge(package):
    return package.replace("{", '{"e\\u0067ress":[],').archive()
