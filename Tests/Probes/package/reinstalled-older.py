# Is older than what was installed, and that was removed before.
# host: code E0305 exit 12 at install
def prepare(home):
    home.escrow("plugin", "remove", "good")

def forge(package):
    return package.change(version="0.9.0", sequence=4).archive()
