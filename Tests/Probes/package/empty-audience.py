# Is signed for nobody, which some would read as everybody.
# host: code E0112 exit 12 at install
def forge(package):
    return package.change(audience=[]).archive()
