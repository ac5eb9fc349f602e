# A script lists which programs this machine has.
# runtime: refused EACCES
attempt(os.listdir, "/usr/bin")
