# Puts another program in the place of the installed one.
# host: code E0301 exit 12 at run
def tamper(home):
    with open(home.program, "rb") as file:
        changed = evil(file.read())
    os.rename(home.scratch("evil", changed), home.program)
