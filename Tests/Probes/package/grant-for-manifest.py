# Signs the manifest as a grant.
# host: code E0309 exit 12 at install
def forge(package):
    return package.archive(envelope=package.envelope(kind="application/vnd.escrow.grant.v1+json"))
