# Puts a terminal's command into a name.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/\x1b[2J", b"x"))
