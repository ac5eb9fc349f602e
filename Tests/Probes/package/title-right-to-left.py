# Turns the direction of writing in its title.
# host: code E0111 exit 12 at install
def forge(package):
    return package.change(title="a \u202e b").archive()
