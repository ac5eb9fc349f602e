# Puts a terminal's command into its title.
# host: code E0111 exit 12 at install
def forge(package):
    return package.change(title="a\x1b[2Jb").archive()
