# Puts a symbolic link in its place, even to the same bytes.
# host: code E0210 exit 12 at run
def tamper(home):
    os.rename(home.program, home.folder + "/same")
    os.symlink(home.folder + "/same", home.program)
