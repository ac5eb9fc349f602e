# Is a file of 300 MiB that takes no room.
# host: code E0211 exit 12 at install
def forge(package):
    with open(package.home.folder + "/bomb.escrow", "wb") as file:
        file.truncate(300 << 20)
    os.rename(package.home.folder + "/bomb.escrow", package.home.folder + "/probe.escrow")
    return None
