# Carries bits in the order of its members.
# host: code E0313 exit 12 at install
def forge(package):
    return package.archive(envelope=json.dumps(dict(reversed(json.loads(package.envelope()).items())), separators=(",", ":")).encode() + b"\n")
