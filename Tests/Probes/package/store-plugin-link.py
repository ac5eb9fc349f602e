# Puts a symbolic link in the place of the whole plugin.
# host: code E0210 exit 12 at run
def tamper(home):
    os.rename(home.plugin, home.folder + "/moved")
    os.symlink(home.folder + "/moved", home.plugin)
