"""A bus of its own with GeoClue's objects on it, by python-dbusmock.

    geoclue.py SOCKET

Prints `ready` when it can be asked. Reads lines: `client` prints who asked, for which level, and whether it was started;
`move LATITUDE LONGITUDE ACCURACY` tells a new place; `end` ends, as the end of stdin does.
"""

import os
import subprocess
import sys
import time

socket = sys.argv[1]
os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={socket}"

import dbus  # noqa: E402

SERVICE = "org.freedesktop.GeoClue2"
CLIENT = "/org/freedesktop/GeoClue2/Client/1"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
"""


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    configuration = socket + ".conf"
    with open(configuration, "w") as file:
        file.write(CONFIGURATION.format(socket=socket))
    daemon = subprocess.Popen(
        ["dbus-daemon", "--nofork", "--print-address", f"--config-file={configuration}"], stdout=subprocess.PIPE)
    mock = None
    try:
        daemon.stdout.readline()
        mock = subprocess.Popen(
            [sys.executable, "-m", "dbusmock", "--system", SERVICE, "/org/freedesktop/GeoClue2/Manager", f"{SERVICE}.Manager"],
            stdout=subprocess.DEVNULL)
        bus = dbus.SystemBus()
        while not bus.name_has_owner(SERVICE):
            time.sleep(0.05)
        manager = dbus.Interface(bus.get_object(SERVICE, "/org/freedesktop/GeoClue2/Manager"), "org.freedesktop.DBus.Mock")
        manager.AddMethod(f"{SERVICE}.Manager", "GetClient", "", "o", f'ret = dbus.ObjectPath("{CLIENT}")')
        manager.AddObject(
            CLIENT, f"{SERVICE}.Client",
            {"DesktopId": "", "RequestedAccuracyLevel": dbus.UInt32(0), "Active": False},
            [("Start", "", "", f'self.Set("{SERVICE}.Client", "Active", True)'), ("Stop", "", "", "")])
        client = bus.get_object(SERVICE, CLIENT)
        number = 0
        say("ready")
        for line in sys.stdin:
            words = line.split()
            if words == ["client"]:
                properties = dbus.Interface(client, "org.freedesktop.DBus.Properties").GetAll(f"{SERVICE}.Client")
                state = "started" if properties["Active"] else "idle"
                say(f"{properties['DesktopId']} {int(properties['RequestedAccuracyLevel'])} {state}")
            elif words[:1] == ["move"]:
                latitude, longitude, accuracy = map(float, words[1:])
                number += 1
                path = f"/org/freedesktop/GeoClue2/Client/1/Location/{number}"
                unknown = -sys.float_info.max
                manager.AddObject(
                    path, f"{SERVICE}.Location",
                    {"Latitude": latitude, "Longitude": longitude, "Accuracy": accuracy, "Altitude": unknown,
                     "Speed": -1.0, "Heading": -1.0, "Description": "",
                     "Timestamp": dbus.Struct((1, 2), signature="tt")}, dbus.Array([], signature="(ssss)"))
                dbus.Interface(client, "org.freedesktop.DBus.Mock").EmitSignal(
                    f"{SERVICE}.Client", "LocationUpdated", "oo", [dbus.ObjectPath("/"), dbus.ObjectPath(path)])
                say("moved")
            else:
                break
    finally:
        # Not SIGTERM: a test runner may have it blocked, and a child inherits that.
        for child in [mock, daemon]:
            if child:
                child.kill()
                child.wait()


main()
