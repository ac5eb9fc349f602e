# Ships the envelope last.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive()[512 + 512 * -(-len(package.envelope()) // 512):-1024] + member("manifest.dsse.json", package.envelope()) + bytes(1024)
