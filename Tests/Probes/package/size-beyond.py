# Announces a program that is longer than the package.
# host: code E0209 exit 12 at install
def forge(package):
    announced = header(PROGRAM, len(package.program) + 4096, mode=b"0000755")
    return member("manifest.dsse.json", package.envelope()) + announced + package.program + padding(len(package.program))
