#!/usr/bin/env python3
"""Stands in the place of escrow-remote and says what a hostile server could. How, is in the file `lie` beside it."""
import os
import socket
import struct
import sys
import time

sock = socket.socket(fileno=0)
lie = open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "lie")).read().strip()


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def part(field, data):
    return bytes([field << 3 | 2]) + varint(len(data)) + data


def number(field, value):
    return bytes([field << 3]) + varint(value) if value else b""


def frame(kind, body=b""):
    sock.sendall(bytes([kind]) + struct.pack(">I", len(body)) + body)


def output(text, consumed):
    frame(4, part(2, (part(1, text) if text else b"") + number(2, consumed)))


def ended(kind=1, code=0, more=b""):
    frame(4, part(3, number(1, kind) + number(2, code) + more))


def exactly(count):
    data = b""
    while len(data) < count:
        piece = sock.recv(count - len(data))
        if not piece:
            sys.exit(0)
        data += piece
    return data


def read():
    head = exactly(5)
    return head[0], exactly(struct.unpack(">I", head[1:])[0])


def message():
    kind, body = read()
    while kind != 4:
        kind, body = read()
    return body


def given():
    """The bytes of the next input; nothing for any other message."""
    body = message()
    if body[0] != 0x12:
        return b""
    index, size, shift = 1, 0, 0
    while True:
        size |= (body[index] & 0x7F) << shift
        shift += 7
        index += 1
        if body[index - 1] < 0x80:
            return body[index:]


read()
read()
begin = message()
digest = begin[begin.index(b"\x1a\x40") + 2 :][:64]
begun = part(1, part(1, b"home") + part(2, digest) + part(3, b"1"))
if lie == "listens before it begins":
    heard = []
    sock.settimeout(0.5)
    try:
        while True:
            heard.append(read())
    except TimeoutError:
        pass
    with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "heard"), "wb") as file:
        file.write(b"".join(b"frame %d " % kind + body for kind, body in heard))
    sys.exit(0)
if lie == "says nothing":
    time.sleep(60)
if lie == "begins another plugin":
    begun = begun.replace(digest, b"0" * 64)
if lie == "is no message":
    begun = b"\xff\xff"
if lie == "refuses for no known reason":
    begun = part(4, number(1, 99))
if lie == "is gone at once":
    sys.exit(0)
if lie == "sends half a frame":
    sock.sendall(b"\x04\x00\x00")
    sys.exit(0)
if lie == "sends an endless frame":
    sock.sendall(b"\x04\xff\xff\xff\xff")
    time.sleep(60)
frame(4, begun)
greeting = len(given())
total = greeting


def rows():
    global total
    output(b'{"ask":"rows","max":4096}\n', total)
    # The line and the batch that it announces, in one message.
    total += len(given())


result = b'{"result":{"numbers":1,"valid":1,"invalid":0,"validContacts":[]}}\n'
if lie == "begins twice":
    frame(4, begun)
elif lie == "refuses after it began":
    frame(4, part(4, number(1, 5)))
elif lie == "is gone midway":
    rows()
    sys.exit(0)
elif lie == "ends the call midway":
    rows()
    frame(6, b"\x06")
elif lie == "says complete without an end":
    frame(6, b"\x00")
elif lie == "says what a host says":
    frame(2)
elif lie == "returns another shape":
    output(b'{"result":{"x":1}}\n', total)
elif lie == "returns no JSON":
    output(b"hello\n", total)
elif lie == "returns twice":
    output(result + result, total)
elif lie == "returns before it read":
    output(result, 0)
elif lie == "read more than it was sent":
    output(result, 1 << 30)
elif lie == "unreads":
    output(b'{"progress":0.5}\n', total)
    output(b'{"progress":0.6}\n', 1)
elif lie == "returns too much":
    output(b'{"result":{"text":"' + b"x" * (8 << 20) + b'"}}\n', total)
elif lie == "returns a line without end":
    for _ in range(600):
        output(b"x" * 65536, total)
elif lie == "asks for rows again":
    rows()
    output(b'{"ask":"rows","max":4096}\n', total)
elif lie == "asks for an asset never offered":
    output(b'{"ask":"asset","id":"a-1"}\n', total)
    given()
elif lie == "asks for an endpoint never declared":
    output(b'{"ask":"fetch","to":"anywhere","fields":{}}\n', total)
    given()
elif lie == "sends endless progress":
    try:
        while True:
            output(b'{"progress":0.1}\n' * 1000, total)
    except OSError:
        sys.exit(0)
elif lie == "never ends":
    output(result, total)
    time.sleep(60)
elif lie == "speaks after its end":
    output(b"", total)
    output(result, total)
elif lie == "ends before its output":
    ended()
elif lie == "ends badly after a result":
    output(result, total)
    output(b"", total)
    ended(2, 9)
elif lie == "ends in an unknown way":
    output(b"", total)
    ended(77)
elif lie == "names a limit of no kind":
    output(b"", total)
    ended(4, 0, part(3, b"Person 1"))
elif lie == "ends with a call of no table":
    output(b"", total)
    ended(3, 0, b"\x50\x01" + part(11, b"Person"))
output(b"", total)
ended()
time.sleep(2)
