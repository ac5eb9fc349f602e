# Expired yesterday.
# host: code E0306 exit 12 at install
def forge(package):
    return package.change(issued=day(-9), expires=day(-1)).archive()
