# Is signed by a key that nobody trusts.
# host: code E0303 exit 12 at install
def forge(package):
    other = package.home.other_key()
    return package.archive(envelope=package.envelope([(other, package.signature("other"))]))
