"""A bus of its own with a NetworkManager on it that says how the network is metered.

    network_manager.py SOCKET VALUE

Prints `ready` when it can be asked, and ends after a line on its stdin, or with it.
"""

import asyncio
import subprocess
import sys

from dbus_fast import PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>custom</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
"""


class NetworkManager(ServiceInterface):
    def __init__(self, value):
        super().__init__("org.freedesktop.NetworkManager")
        self.value = value

    @dbus_property(access=PropertyAccess.READ)
    def Metered(self) -> "u":  # noqa: F821, N802
        return self.value


async def main(socket, value):
    configuration = socket + ".conf"
    with open(configuration, "w") as file:
        file.write(CONFIGURATION.format(socket=socket))
    daemon = subprocess.Popen(
        ["dbus-daemon", "--nofork", "--print-address", f"--config-file={configuration}"],
        stdout=subprocess.PIPE,
    )
    try:
        daemon.stdout.readline()
        bus = await MessageBus(bus_address=f"unix:path={socket}").connect()
        if value is not None:
            bus.export("/org/freedesktop/NetworkManager", NetworkManager(value))
            await bus.request_name("org.freedesktop.NetworkManager")
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    finally:
        # Not SIGTERM: a test runner may have it blocked, and a child inherits that.
        daemon.kill()
        daemon.wait()


asyncio.run(main(sys.argv[1], int(sys.argv[2]) if sys.argv[2] != "none" else None))
