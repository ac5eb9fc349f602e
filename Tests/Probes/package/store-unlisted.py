# Puts a file beside it. Nobody signed it, and nothing reads it.
# host: prints {"n":1}
def tamper(home):
    with open(home.plugin + "/bin/evil", "w") as file:
        file.write("x")
