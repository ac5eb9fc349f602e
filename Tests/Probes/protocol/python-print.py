# Leaves a debugging print in a plugin that writes its result by itself.
# host: code E0521 exit 14
def misdeed(plugin):
    rows = plugin.rows()
    print("rows:", rows[0], flush=True)
    plugin.say({"result": {"n": 1}})
