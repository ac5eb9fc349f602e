# Is a symbolic link.
# host: code E0210 exit 12 at install
def prepare(home):
    os.symlink(home.folder + "/../good.escrow", home.folder + "/probe.escrow")

def forge(package):
    return None
