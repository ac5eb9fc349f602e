# Is signed twice with one key where two keys are demanded.
# host: code E0318 exit 12 at install
def prepare(home):
    with open(home.path + "/trust.signers") as file:
        line = file.read()
    assert " ed25519 " in line
    with open(home.path + "/trust.signers", "w") as file:
        file.write("org.escrow.probes.* threshold=2 ed25519 " + line.partition(" ed25519 ")[2])

def forge(package):
    return package.archive(envelope=package.envelope([(package.key_id, package.signature())] * 2))
