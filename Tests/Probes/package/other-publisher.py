# Is signed by a key that is trusted for other plugins.
# host: code E0317 exit 12 at install
def forge(package):
    other = package.home.other_key("org.other.*")
    return package.archive(envelope=package.envelope([(other, package.signature("other"))]))
