# Cuts a byte off the installed program.
# host: code E0301 exit 12 at run
def tamper(home):
    os.truncate(home.program, os.path.getsize(home.program) - 1)
