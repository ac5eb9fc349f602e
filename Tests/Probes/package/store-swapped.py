# Exchanges the folders of two installed plugins.
# host: code E0322 exit 12 at run
def tamper(home):
    with open(home.folder + "/second.escrow", "wb") as file:
        file.write(good(home).change(id="org.escrow.probes.second").archive())
    assert home.escrow("plugin", "install", home.folder + "/second.escrow", "--yes").returncode == 0
    second = home.plugins + "/org.escrow.probes.second"
    os.rename(home.plugin, home.folder + "/aside")
    os.rename(second, home.plugin)
    os.rename(home.folder + "/aside", second)
