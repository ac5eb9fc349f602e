"""Wants too much of one thing, named by the parameter `mode`."""

import json
import sys
import threading
import time


def say(message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def hear():
    return json.loads(sys.stdin.buffer.readline())


def rows(at_once):
    more = True
    while more:
        say({"ask": "rows", "max": at_once, "rows": "json"})
        answer = hear()
        more = answer["more"]
        yield from answer["rows"]


mode = hear()["params"]["mode"]
count = 0
if mode in ("rows", "one"):
    for _ in rows(8192 if mode == "rows" else 1):
        count += 1
elif mode == "assets":
    for row in list(rows(8192)):
        say({"ask": "asset", "id": row[0]})
        sys.stdin.buffer.read(hear()["asset"]["bytes"])
        count += 1
elif mode == "stream":
    total = 0
    for row in list(rows(8192)):
        say({"ask": "asset", "id": row[0]})
        left = hear()["asset"]["bytes"]
        while left:
            piece = sys.stdin.buffer.read(min(left, 1 << 16))
            left -= len(piece)
            total += len(piece)
    count = total >> 26
elif mode == "look":
    # Files that say where they were taken, and ten times those that it is not given.
    for row in list(rows(8192)):
        say({"ask": "asset", "id": row[0]})
        answer = hear()
        if "asset" not in answer:
            count += 10
        elif b"Exif\0" in sys.stdin.buffer.read(answer["asset"]["bytes"]):
            count += 1
elif mode == "output":
    while True:
        say({"progress": 0.5})
elif mode == "log":
    sys.stderr.write("x" * 5000)
    sys.stderr.flush()
    time.sleep(60)
elif mode == "threads":
    for _ in range(8):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
elif mode == "sleep":
    time.sleep(600)
elif mode == "spin":
    while True:
        pass
elif mode == "memory":
    blocks = []
    while True:
        blocks.append(bytes(1 << 20))
say({"result": {"n": count}})
