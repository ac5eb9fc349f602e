# Has more behind its line end.
# host: code E0313 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope() + b"{}")
