# Is a named pipe, which would hold a reader up.
# host: code E0210 exit 12 at install
def prepare(home):
    os.mkfifo(home.folder + "/probe.escrow")

def forge(package):
    return None
