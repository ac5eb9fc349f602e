# Is signed well by one trusted key and badly by another.
# host: code E0304 exit 12 at install
def forge(package):
    other = package.home.other_key("org.escrow.probes.*")
    return package.archive(envelope=package.envelope([(package.key_id, package.signature()), (other, bytes(64))]))
