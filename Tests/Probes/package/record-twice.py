# Names the plugin twice in the record of installation, the second time with another digest.
# host: code E0319 exit 12 at run
def tamper(home):
    path = home.plugins + "/installed.json"
    with open(path) as file:
        text = file.read()
    record = json.loads(text)
    record["plugins"].append({**record["plugins"][0], "manifest": "0" * 64})
    text = json.dumps(record)
    with open(path, "w") as file:
        file.write(text)
