# A script goes to another directory.
# runtime: refused EACCES
attempt(os.chdir, "/usr")
