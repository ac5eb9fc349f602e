# Has a second document behind its end.
# host: code E0101 exit 12 at install
def forge(package):
    return package.say(package.manifest).replace(package.text, package.text + b"{}").archive()
