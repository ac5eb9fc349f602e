# Was installed, and then its key was revoked.
# host: code E0308 exit 12 at run
def tamper(home):
    trusted = json.loads(home.escrow("trust", "list", "--format", "json").stdout)
    home.escrow("trust", "revoke", "--key", find(trusted, "fingerprint"))
