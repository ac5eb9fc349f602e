# Puts another program in its place while it runs, and takes that away.
# host: prints {"n":1}
def during(home):
    with open(home.program, "rb") as file:
        changed = evil(file.read())
    host = home.start()
    os.rename(home.scratch("evil", changed), home.program)
    os.unlink(home.program)
    print(home.ended(host))
