"""A plugin in Python that breaks one rule of the protocol; the packer puts this text before the probe's own.

With the parameter behave=behave-well the same program reads its rows and returns its result: the control."""
import json
import sys


class Plugin:
    """Speaks the protocol by hand."""

    def __init__(self):
        self.greeting = self.hear()

    def hear(self):
        return json.loads(sys.stdin.buffer.readline())

    def write(self, data):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def say(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def rows(self):
        """All rows; the last answer says that there are no more."""
        found, more = [], True
        while more:
            self.say({"ask": "rows", "rows": "json", "max": 1000})
            answer = self.hear()
            found += answer["rows"]
            more = answer["more"]
        return found


def main(misdeed):
    plugin = Plugin()
    if plugin.greeting["params"]["behave"] == "behave-well":
        plugin.rows()
        plugin.say({"result": {"n": 1}})
    else:
        misdeed(plugin)
