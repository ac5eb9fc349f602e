# Asks to trust a key for every plugin.
# host: code E0312 exit 12
def during(home):
    key = find(json.loads(home.escrow("key", "list", "--format", "json").stdout), "publicKey")
    print(home.told(home.escrow("trust", "add", "*", key)))
