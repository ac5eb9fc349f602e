# Takes more time in its next version, within what the individual allows any plugin. That is no part of a grant.
# host: prints {"n":1}
def forge(package):
    return package.upgrade(limits={**package.manifest["limits"], "wallSeconds": 90}).archive()
