# Is signed by a trusted key and by a stranger, who does not count.
# host: prints {"n":1}
def forge(package):
    other = package.home.other_key()
    return package.archive(envelope=package.envelope([(other, bytes(64)), (package.key_id, package.signature())]))
