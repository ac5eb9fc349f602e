# Ships another program than was signed.
# host: code E0301 exit 12 at install
def forge(package):
    package.files = [[PROGRAM, evil(package.program)]]
    return package.archive()
