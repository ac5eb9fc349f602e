# Ships a second envelope.
# host: code E0202 exit 12 at install
def forge(package):
    return package.archive(extra=member("manifest.dsse.json", package.envelope()))
