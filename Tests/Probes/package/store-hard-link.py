# Puts a hard link to another program in its place.
# host: code E0301 exit 12 at run
def tamper(home):
    with open(home.program, "rb") as file:
        changed = evil(file.read())
    os.unlink(home.program)
    os.link(home.scratch("evil", changed), home.program)
