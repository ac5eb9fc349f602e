"""For the tests: names lead to the stand-ins of this machine. $ROUTES has the port here for each port there."""

import json
import os
import socket

ROUTES = json.loads(os.environ["ROUTES"])
looked_up = socket.getaddrinfo


def led(host, port, *more, **named):
    return looked_up("127.0.0.1", ROUTES.get(str(port), port), *more, **named)


socket.getaddrinfo = led
