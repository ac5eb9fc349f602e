# Makes the id in the record of installation a path.
# host: code E0319 exit 12 at run
def tamper(home):
    path = home.plugins + "/installed.json"
    with open(path) as file:
        text = file.read()
    text = text.replace(ID, "../../evil")
    with open(path, "w") as file:
        file.write(text)
