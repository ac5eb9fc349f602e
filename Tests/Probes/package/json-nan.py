# Holds NaN.
# host: code E0101 exit 12 at install
def forge(package):
    return package.change(sequence=float("nan")).archive()
