# Names two payloads.
# host: code E0313 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope().replace(b'"payload":', b'"payload":"e30=","payload":', 1))
