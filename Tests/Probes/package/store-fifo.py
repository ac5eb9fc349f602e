# Puts a named pipe in its place, which would hold a reader up.
# host: code E0210 exit 12 at run
def tamper(home):
    os.unlink(home.program)
    os.mkfifo(home.program)
