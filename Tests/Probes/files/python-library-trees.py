# A script opens whatever lies beside the libraries that it needs.
# runtime: prints ENOENT
reached = set()
for place in ["/usr/share", "/usr/include", "/usr/sbin", "/usr/games", "/usr/src", "/usr/libexec", "/lib/modules"]:
    try:
        os.listdir(place)
        reached.add("DID IT")
    except OSError as error:
        if not outside():
            reached.add(errno.errorcode[error.errno])
print(" ".join(reached))
