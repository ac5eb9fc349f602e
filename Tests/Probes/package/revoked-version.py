# Has a version that was revoked.
# host: code E0308 exit 12 at install
def prepare(home):
    home.escrow("trust", "revoke", "--plugin", ID, "--below", "2.0.0")

def forge(package):
    return package.upgrade().archive()
