# Lists one path as a file and as a folder.
# host: code E0114 exit 12 at install
def forge(package):
    return package.change(files={"bin": "sha256:" + "0" * 64}).archive()
