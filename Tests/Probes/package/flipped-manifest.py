# Changes a number in the manifest under an old signature.
# host: code E0304 exit 12 at install
def forge(package):
    signature = package.signature()
    package.change(sequence=9)
    return package.archive(envelope=package.envelope([(package.key_id, signature)]))
