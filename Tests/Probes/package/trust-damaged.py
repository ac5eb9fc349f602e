# Damages the trust store: a line that is not understood could be a restriction.
# host: code E0312 exit 12 at run
def tamper(home):
    with open(home.path + "/trust.signers", "a") as file:
        file.write("org.evil.* ed25519\n")
