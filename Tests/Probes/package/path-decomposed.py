# Names the same file in another normal form.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member("bin/pro\u0308be", b"x"))
