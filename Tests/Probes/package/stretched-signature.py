# Adds the group's order to a signature, which lenient readers take for the same one.
# host: code E0304 exit 12 at install
def forge(package):
    order = 2**252 + 27742317777372353535851937790883648493
    signature = package.signature()
    stretched = int.from_bytes(signature[32:], "little") + order
    return package.archive(envelope=package.envelope([(package.key_id, signature[:32] + stretched.to_bytes(32, "little"))]))
