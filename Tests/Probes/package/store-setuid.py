# Sets the set-uid bit on it.
# host: code E0210 exit 12 at run
def tamper(home):
    os.chmod(home.program, 0o4755)
