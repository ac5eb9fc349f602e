# Changes the digest in the record of installation.
# host: code E0322 exit 12 at run
def tamper(home):
    path = home.plugins + "/installed.json"
    with open(path) as file:
        text = file.read()
    digest = json.loads(text)["plugins"][0]["manifest"]
    text = text.replace(digest, "0" * 64)
    with open(path, "w") as file:
        file.write(text)
