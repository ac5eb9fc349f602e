# A script lists the root directory.
# runtime: refused EACCES
attempt(os.listdir, "/")
