# Is of a schema that this host does not know.
# host: code E0105 exit 12 at install
def forge(package):
    return package.change(schema="escrow.plugin/2").archive()
