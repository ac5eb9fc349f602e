# Was installed, and then its manifest was revoked.
# host: code E0308 exit 12 at run
def tamper(home):
    installed = json.loads(home.escrow("plugin", "list", "--format", "json").stdout)
    home.escrow("trust", "revoke", "--manifest", find(installed, "manifest"))
