# Asks to trust the point of order 1, under which anybody can sign anything.
# host: code E0311 exit 12
def during(home):
    point = bytes([1]) + bytes(31)
    key = base64.b64encode(bytes.fromhex("302a300506032b6570032100") + point).decode()
    print(home.told(home.escrow("trust", "add", "org.evil.*", key)))
