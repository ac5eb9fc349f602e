#!/usr/bin/python3
"""A host that does what a test wrote: FakeHost links to this file, beside the script that is to be run.

This file is never written to while tests run. A program that was written a moment ago may not start ("text file busy"):
what another test starts at that moment has a copy of the descriptor until its own exec.
"""
import json, os, signal, sys

folder = os.path.dirname(os.path.abspath(__file__))


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def note(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


with open(os.path.join(folder, "script")) as file:
    script = file.read()
exec(script)
