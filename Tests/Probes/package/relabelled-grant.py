# Calls what was signed as a grant a manifest.
# host: code E0304 exit 12 at install
def forge(package):
    grant = "application/vnd.escrow.grant.v1+json"
    return package.archive(envelope=package.envelope([(package.key_id, package.signature(kind=grant))]))
