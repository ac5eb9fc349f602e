"""A desktop for the apps that notify, play or ask whether it is quiet."""

import os
import subprocess
import sys

from .home import HERE


class Desktop:
    """A desktop's bus of its own, and on it who shows notifications, and a player: they write down what they are told."""

    def __init__(self, day):
        self.socket = os.path.join(day.folder, "bus")
        self.log = os.path.join(day.folder, "desktop.log")
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:path={self.socket}"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.bus.stdout.readline()
        Desktop.standing.append(self)
        self.day = day
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.socket}"
        self.desk = subprocess.Popen(["/usr/bin/python3", os.path.join(HERE, "desktop.py"), self.log], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, text=True)
        if self.desk.stdout.readline() != "ready\n":
            sys.exit(77)
        day.serve()

    def said(self, method):
        with open(self.log) as file:
            return [line for line in file if line.startswith(method + " ")]

    standing = []

    def end(self):
        self.desk.kill()
        self.bus.kill()
        os.environ.pop("DBUS_SESSION_BUS_ADDRESS")
        Desktop.standing.remove(self)
        self.day.end()
