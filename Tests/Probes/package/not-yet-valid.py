# Counts from the day after tomorrow.
# host: code E0307 exit 12 at install
def forge(package):
    return package.change(issued=day(2), expires=day(9)).archive()
