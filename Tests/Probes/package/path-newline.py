# Puts a line break into a name.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/a\nb", b"x"))
