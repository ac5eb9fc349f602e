"""A desktop's bus of its own, on which python-dbusmock plays one desktop after the other, as far as each tells of "do not disturb".

    disturb.py SOCKET

Prints `ready` when the bus is there. Reads lines, and answers each with `done`: `plasma`, `dunst`, `swaync`, `xfce` or `gnome` put that
desktop in the place of the one before, `silent` one that says nothing of it; `on`, `off` switch it; `never` makes it Xfce's switch that
nobody touched yet. `end` ends, as the end of stdin does.
"""

import os
import subprocess
import sys
import time

socket = sys.argv[1]
os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={socket}"

import dbus  # noqa: E402

NOTIFICATIONS = "org.freedesktop.Notifications"
MOCK = "org.freedesktop.DBus.Mock"
UNSET = 'raise dbus.exceptions.DBusException("unset", name="org.xfce.Xfconf.Error.PropertyNotFound")'
# Who plays, at which object, and how it tells: a property's interface and name, or a method's with its two signatures.
DESKTOPS = {
    "plasma": (NOTIFICATIONS, "/org/freedesktop/Notifications", (NOTIFICATIONS, "Inhibited")),
    "dunst": (NOTIFICATIONS, "/org/freedesktop/Notifications", ("org.dunstproject.cmd0", "paused")),
    "silent": (NOTIFICATIONS, "/org/freedesktop/Notifications", None),
    "swaync": ("org.erikreider.swaync.cc", "/org/erikreider/swaync/cc", ("org.erikreider.swaync.cc", "GetDnd", "", "b")),
    "xfce": ("org.xfce.Xfconf", "/org/xfce/Xfconf", ("org.xfce.Xfconf", "GetProperty", "ss", "v")),
    "gnome": ("org.gnome.Shell", "/org/gnome/Shell", None),
}


class Desktop:
    def __init__(self, bus, name):
        self.service, path, self.way = DESKTOPS[name]
        self.bus = bus
        self.process = subprocess.Popen([sys.executable, "-m", "dbusmock", "--session", self.service, path, self.service],
                                        stdout=subprocess.DEVNULL)
        while not bus.name_has_owner(self.service):
            time.sleep(0.02)
        self.object = bus.get_object(self.service, path)
        self.tell("False")

    def tell(self, value):
        if self.way and len(self.way) == 2:
            properties = dbus.Interface(self.object, "org.freedesktop.DBus.Properties")
            if value == "True":
                properties.Set(*self.way, True)
            else:
                try:
                    properties.Set(*self.way, False)
                except dbus.exceptions.DBusException:
                    dbus.Interface(self.object, MOCK).AddProperty(*self.way, False)
        elif self.way:
            code = value if value.startswith("raise") else f"ret = {value}"
            dbus.Interface(self.object, MOCK).AddMethod(*self.way, code)

    def end(self):
        # Not SIGTERM: a test runner may have it blocked, and a child inherits that.
        self.process.kill()
        self.process.wait()
        while self.bus.name_has_owner(self.service):
            time.sleep(0.02)


def main():
    daemon = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:path={socket}"],
                              stdout=subprocess.PIPE)
    desktop = None
    try:
        daemon.stdout.readline()
        bus = dbus.SessionBus()
        print("ready", flush=True)
        for line in sys.stdin:
            word = line.strip()
            if word == "end":
                break
            if word in DESKTOPS:
                if desktop:
                    desktop.end()
                desktop = Desktop(bus, word)
            else:
                desktop.tell({"on": "True", "off": "False", "never": UNSET}[word])
            print("done", flush=True)
    finally:
        if desktop:
            desktop.process.kill()
        daemon.kill()


main()
