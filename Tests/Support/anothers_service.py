"""What another user puts in the place of the service: it says yes to everybody, and notes what it was sent.
anothers_service.py RUNTIME HOME, started by root: it becomes nobody, and says that it serves HOME."""

import os
import socket
import sys

NOBODY = 65534
runtime, home = sys.argv[1:]
folder = f"{runtime}/escrow"
os.mkdir(folder, 0o700)
os.chown(folder, NOBODY, NOBODY)
os.chmod(runtime, 0o755)
os.setgroups([])
os.setgid(NOBODY)
os.setuid(NOBODY)
with open(f"{folder}/home", "w") as told:
    told.write(home + "\n")
listener = socket.socket(socket.AF_UNIX)
listener.bind(f"{folder}/service.sock")
listener.listen(16)
print("listening", flush=True)
while True:
    peer, _ = listener.accept()
    peer.settimeout(2)
    try:
        heard = peer.recv(65536)
        with open(f"{folder}/heard", "ab") as notes:
            notes.write(heard)
        body = b'{"escrow":"0","status":"authorized","value":"forged"}'
        peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    except OSError:
        pass
    peer.close()
