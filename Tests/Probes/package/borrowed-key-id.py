# Is signed by a stranger under the name of a trusted key.
# host: code E0304 exit 12 at install
def forge(package):
    package.home.other_key()
    return package.archive(envelope=package.envelope([(package.key_id, package.signature("other"))]))
