# Turns the direction of writing in a name.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("plugin\u202egnp.exe", b"x"))
