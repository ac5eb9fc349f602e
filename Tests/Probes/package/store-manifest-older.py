# Puts an older version back, manifest and program, as well signed.
# host: code E0305 exit 12 at run
def tamper(home):
    package = good(home).change(version="0.9.0", sequence=4).put(evil(good(home).program))
    os.rename(home.scratch("manifest", package.envelope()), home.envelope)
    os.rename(home.scratch("evil", package.program), home.program)
