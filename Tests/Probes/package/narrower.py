# Asks for less in its next version, about which nobody is asked again.
# host: prints {"n":1}
def forge(package):
    return package.upgrade(limits={**package.manifest["limits"], "wallSeconds": 30}).archive()
