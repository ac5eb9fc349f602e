# Writes into the installed program while it runs. What runs is a sealed copy.
# host: prints {"n":1}
def during(home):
    with open(home.program, "rb") as file:
        changed = evil(file.read())
    host = home.start()
    with open(home.program, "r+b") as file:
        file.write(changed)
    print(home.ended(host))
