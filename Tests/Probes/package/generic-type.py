# Signs as JSON of any kind.
# host: code E0309 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope(kind="application/json"))
