# Ships the program twice, the second time another one.
# host: code E0209 exit 12 at install
def forge(package):
    return package.archive(extra=member(PROGRAM, evil(package.program), mode=b"0000755"))
