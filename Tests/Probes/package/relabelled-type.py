# Calls a signed manifest a grant.
# host: code E0309 exit 12 at install
def forge(package):
    signed = [(package.key_id, package.signature())]
    return package.archive(envelope=package.envelope(signed, kind="application/vnd.escrow.grant.v1+json"))
