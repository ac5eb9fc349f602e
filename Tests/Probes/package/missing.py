# Leaves out a file that the manifest lists.
# host: code E0203 exit 12 at install
def forge(package):
    return package.change(files={"LICENSE": "sha256:" + "0" * 64}).archive()
