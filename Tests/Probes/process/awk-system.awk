# An awk program starts a shell.
# runtime: violation clone(CLONE_VM|CLONE_VFORK)
BEGIN { if (system("true") == 0) print "DID IT" }
