# A script lists which software the person installed.
# runtime: refused ENOENT
attempt(os.listdir, "/usr/local")
