# Puts a symbolic link in the place of the manifest.
# host: code E0210 exit 12 at run
def tamper(home):
    os.rename(home.envelope, home.folder + "/same")
    os.symlink(home.folder + "/same", home.envelope)
