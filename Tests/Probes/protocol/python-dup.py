# Writes a second result through another descriptor of the same pipe.
# host: code E0529 exit 14
import os


def misdeed(plugin):
    plugin.say({"result": {"n": 1}})
    os.write(os.dup(1), b'{"result":{"n":2}}\n')
