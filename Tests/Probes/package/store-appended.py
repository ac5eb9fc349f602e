# Adds a byte to the installed program.
# host: code E0301 exit 12 at run
def tamper(home):
    with open(home.program, "ab") as file:
        file.write(b"x")
