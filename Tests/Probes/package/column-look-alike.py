# Names a column with a Cyrillic letter.
# host: code E0108 exit 12 at install
def forge(package):
    return package.replace('"phoneNumber"]', '"рhoneNumber"]').archive()
