# Writes from a second thread while its first one has given the result.
# host: code E0529 exit 14
import threading


def misdeed(plugin):
    plugin.say({"result": {"n": 1}})
    threading.Thread(target=plugin.say, args=({"result": {"n": 2}},)).start()
