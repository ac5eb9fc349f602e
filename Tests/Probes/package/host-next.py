# Is for a later host.
# host: code E0214 exit 12 at install
def forge(package):
    return package.change(host=">=9.0.0 <10.0.0").archive()
