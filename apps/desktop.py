#!/usr/bin/python3
"""On a desktop's bus: who shows notifications, and a player. What each is told is written into a file, a line a call: desktop.py LOG.
While there is a file LOG.quiet, it is not to disturb, which it says as Plasma does.

By python3-dbus and GLib, as Debian's dbusmock has them."""

import os
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

LOG = open(sys.argv[1], "a", buffering=1)


class Notifications(dbus.service.Object):
    @dbus.service.method("org.freedesktop.Notifications", in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        LOG.write(" ".join(["Notify", app, summary, body.replace("\n", " ")]) + "\n")
        return 1

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        if (interface, name) != ("org.freedesktop.Notifications", "Inhibited"):
            raise dbus.exceptions.DBusException("no such property", name="org.freedesktop.DBus.Error.UnknownProperty")
        return dbus.Boolean(os.path.exists(LOG.name + ".quiet"))


class Player(dbus.service.Object):
    @dbus.service.method("org.mpris.MediaPlayer2.Player")
    def Play(self):
        LOG.write("Play \n")

    @dbus.service.method("org.mpris.MediaPlayer2.Player")
    def Pause(self):
        LOG.write("Pause \n")


DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
names = [dbus.service.BusName(name, bus) for name in ("org.freedesktop.Notifications", "org.mpris.MediaPlayer2.sample")]
objects = Notifications(bus, "/org/freedesktop/Notifications"), Player(bus, "/org/mpris/MediaPlayer2")
print("ready", flush=True)
GLib.MainLoop().run()
