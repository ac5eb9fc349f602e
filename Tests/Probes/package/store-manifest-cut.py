# Cuts the manifest off.
# host: code E0313 exit 12 at run
def tamper(home):
    os.truncate(home.envelope, 100)
