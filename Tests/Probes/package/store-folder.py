# Puts a folder in its place.
# host: code E0210 exit 12 at run
def tamper(home):
    os.unlink(home.program)
    os.mkdir(home.program)
