# Sets the set-gid bit on it.
# host: code E0210 exit 12 at run
def tamper(home):
    os.chmod(home.program, 0o2755)
