# Hides characters in its query.
# host: code E0111 exit 12 at install
def forge(package):
    return package.change(defaultAccess={"sql": "SELECT 1 \u202e"}).archive()
