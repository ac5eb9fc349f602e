# Adds lines to its purpose, as if the host said them.
# host: code E0111 exit 12 at install
def forge(package):
    return package.change(purpose={"code": "development", "text": "a\nreads nothing"}).archive()
