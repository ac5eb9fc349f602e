# Asks to trust a point of order 8.
# host: code E0311 exit 12
def during(home):
    point = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    key = base64.b64encode(bytes.fromhex("302a300506032b6570032100") + point).decode()
    print(home.told(home.escrow("trust", "add", "org.evil.*", key)))
