# Expires before it was issued.
# host: code E0113 exit 12 at install
def forge(package):
    return package.change(issued=day(-1), expires=day(-2)).archive()
