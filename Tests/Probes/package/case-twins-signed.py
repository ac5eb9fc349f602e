# Lists two files that differ in letter case.
# host: code E0114 exit 12 at install
def forge(package):
    return package.change(files={"bin/Probe": "sha256:" + "0" * 64}).archive()
