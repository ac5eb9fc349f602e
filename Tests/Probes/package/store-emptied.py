# Empties the installed program.
# host: code E0301 exit 12 at run
def tamper(home):
    os.truncate(home.program, 0)
