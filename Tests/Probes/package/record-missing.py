# Takes the record of installation away.
# host: code E0212 exit 12 at run
def tamper(home):
    os.unlink(home.plugins + "/installed.json")
