# Gives its result and starts a program to go on.
# host: code E0511 exit 14
import os


def misdeed(plugin):
    plugin.say({"result": {"n": 1}})
    os.posix_spawn("/bin/true", ["true"], {})
