# Puts a symbolic link in the place of its folder.
# host: code E0210 exit 12 at run
def tamper(home):
    os.rename(home.plugin + "/bin", home.folder + "/bin")
    os.symlink(home.folder + "/bin", home.plugin + "/bin")
