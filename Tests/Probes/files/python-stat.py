# A script asks about a file without opening it.
# runtime: refused ENOENT
attempt(os.stat, "/etc/passwd")
