# Was installed, and then its key was trusted no more.
# host: code E0303 exit 12 at run
def tamper(home):
    trusted = json.loads(home.escrow("trust", "list", "--format", "json").stdout)
    home.escrow("trust", "remove", find(trusted, "fingerprint"))
