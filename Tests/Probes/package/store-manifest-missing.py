# Takes the manifest away.
# host: code E0203 exit 12 at run
def tamper(home):
    os.unlink(home.envelope)
