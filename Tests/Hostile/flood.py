"""Floods a service: flood.py SOCKET CONNECTIONS PROCESSES. Says "ready" when all are open, and ends with its input."""

import os
import resource
import socket
import sys

path, count, processes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16384), hard))
started, ready = os.pipe()
for child in range(processes):
    if os.fork() == 0:
        held = []
        for number in range(count // processes):
            peer = socket.socket(socket.AF_UNIX)
            try:
                peer.connect(path)
                # One of four says nothing, one half a head, one half a body, one asks and never reads.
                peer.sendall([b"", b"POST /v1/runs HTTP/1.1\r\nHost: x\r\nContent-",
                              b"POST /v1/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
                              b"GET /v1/schema HTTP/1.1\r\nHost: x\r\n\r\n" * 50][number % 4])
            except OSError:
                pass
            held.append(peer)
        os.write(ready, b"x")
        sys.stdin.buffer.read()
        os._exit(0)
done = 0
while done < processes:
    done += len(os.read(started, 64))
print("ready", flush=True)
sys.stdin.buffer.read()
