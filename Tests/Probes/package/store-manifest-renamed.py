# Puts the manifest of another version in the place of the installed one, as well signed.
# host: code E0322 exit 12 at run
def tamper(home):
    package = good(home).upgrade(limits={"wallSeconds": 600})
    os.rename(home.scratch("manifest", package.envelope()), home.envelope)
