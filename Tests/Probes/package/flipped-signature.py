# Flips a bit of the signature.
# host: code E0304 exit 12 at install
def forge(package):
    signature = bytearray(package.signature())
    signature[0] ^= 1
    return package.archive(envelope=package.envelope([(package.key_id, bytes(signature))]))
