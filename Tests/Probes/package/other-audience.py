# Is signed for another installation.
# host: code E0310 exit 12 at install
def forge(package):
    return package.change(audience=["SHA256:elsewhere"]).archive()
