# Asks to trust a second spelling of a point.
# host: code E0311 exit 12
def during(home):
    point = (2**255 - 18).to_bytes(32, "little")
    key = base64.b64encode(bytes.fromhex("302a300506032b6570032100") + point).decode()
    print(home.told(home.escrow("trust", "add", "org.evil.*", key)))
