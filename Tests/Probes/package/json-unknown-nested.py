# Holds an unknown member deep within.
# host: code E0102 exit 12 at install
def forge(package):
    return package.change(limits={"wallSecond": 1}).archive()
