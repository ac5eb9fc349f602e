"""Starts a service as a session's manager does: it listens first, and the service begins when the first program comes.
activate.py FOLDER COMMAND..., sd_listen_fds(3)"""

import os
import select
import socket
import sys

folder, command = sys.argv[1], sys.argv[2:]
listeners = []
for name in ["service.sock", "control.sock"]:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{folder}/{name}")
    listener.listen(16)
    listeners.append(listener)
print("listening", flush=True)
select.select(listeners, [], [])
for place, listener in enumerate(listeners):
    os.dup2(listener.fileno(), 20 + place)
for place in range(2):
    os.dup2(20 + place, 3 + place)
    os.set_inheritable(3 + place, True)
    os.close(20 + place)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2")
os.execv(command[0], command)
