# Writes into the installed program.
# host: code E0301 exit 12 at run
def tamper(home):
    with open(home.program, "rb") as file:
        changed = evil(file.read())
    with open(home.program, "r+b") as file:
        file.write(changed)
