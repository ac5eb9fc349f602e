# Writes the same package again, with nothing wrong. It is as good as the host's own.
# host: prints {"n":1}
def forge(package):
    return package.archive()
