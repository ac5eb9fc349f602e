# Ships a file whose name differs in letter case.
# host: code E0202 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/probe.Txt", b"x"))
