# Names a program with a Cyrillic letter.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/рrobe", b"x"))
