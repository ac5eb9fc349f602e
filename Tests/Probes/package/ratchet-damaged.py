# Damages the record of versions.
# host: code E0319 exit 12 at run
def tamper(home):
    with open(home.plugins + "/ratchet.json", "w") as file:
        file.write("{}")
