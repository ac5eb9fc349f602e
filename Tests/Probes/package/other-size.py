# Ships the signed program with a byte more.
# host: code E0301 exit 12 at install
def forge(package):
    package.files = [[PROGRAM, package.program + b"x"]]
    return package.archive()
