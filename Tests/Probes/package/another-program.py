# Signs another program with the same permissions. A signature is the publisher's: it runs.
# host: prints {"n":6}
def forge(package):
    return package.upgrade().put(evil(package.program)).archive()
