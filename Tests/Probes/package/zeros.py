# Is all zeros.
# host: code E0209 exit 12 at install
def forge(package):
    return bytes(10240)
