# Reads all columns by a star.
# host: code E0116 exit 12 at install
def forge(package):
    return package.replace('"phoneNumber"]', '"*"]').archive()
