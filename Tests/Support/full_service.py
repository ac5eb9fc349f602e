"""A service that would run what it is asked, and has no room. full_service.py RUNTIME HOME: it listens in RUNTIME/escrow."""

import os
import socket
import sys

runtime, home = sys.argv[1:]
folder = f"{runtime}/escrow"
os.mkdir(folder, 0o700)
with open(f"{folder}/home", "w") as told:
    told.write(os.path.realpath(home) + "\n")
listener = socket.socket(socket.AF_UNIX)
listener.bind(f"{folder}/service.sock")
listener.listen(16)
print("listening", flush=True)
while True:
    peer, _ = listener.accept()
    heard = b""
    while b"\r\n\r\n" not in heard:
        piece = peer.recv(65536)
        if not piece:
            break
        heard += piece
    if heard.startswith(b"POST /v1/status"):
        status, body = b"200 OK", b'{"status":"authorized"}'
    else:
        status = b"429 Too Many Requests"
        body = (b'{"type":"about:blank","title":"too many requests are open at once","status":429,'
                b'"code":"E1007","exit":64}')
    try:
        peer.sendall(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body)
        peer.shutdown(socket.SHUT_WR)
        while peer.recv(65536):
            pass
    except OSError:
        pass
    peer.close()
