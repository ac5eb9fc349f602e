"""A server that answers as servers should not, one port for each way, on loopback.

    hostile_server.py FOLDER

makes a certificate authority and certificates in FOLDER (openssl), listens, and prints one JSON object a line: first
{"ports": {CASE: PORT, ...}, "ca": PATH, "pin": "sha256/..."}, then for every connection that ended
{"case": CASE, "received": BASE64}: all bytes that came, decrypted. It ends when its stdin does.
"""

import base64
import gzip
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

FOLDER = sys.argv[1]
JSON = b'{"ok":true}'
HOST = "api.example.org"


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=FOLDER, check=True, capture_output=True)


def authority(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")


def certificate(name, host, ca="ca", start=None, end=None):
    """A certificate for a host name, valid now unless dates are given. `openssl ca` is the command that takes dates."""
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={host}",
            "-keyout", f"{name}.key", "-out", f"{name}.csr")
    with open(f"{FOLDER}/{name}.cnf", "w") as file:
        file.write(f"[ca]\ndefault_ca=d\n[d]\ndatabase={name}.index\nserial={name}.serial\nnew_certs_dir=.\n"
                   f"default_md=sha256\npolicy=p\nx509_extensions=x\n[p]\ncommonName=supplied\n"
                   f"[x]\nsubjectAltName=DNS:{host}\nbasicConstraints=CA:FALSE\n")
    open(f"{FOLDER}/{name}.index", "w").close()
    with open(f"{FOLDER}/{name}.serial", "w") as file:
        file.write(os.urandom(8).hex() + "\n")
    dates = ["-startdate", start, "-enddate", end] if start else ["-days", "7"]
    openssl("ca", "-batch", "-notext", "-config", f"{name}.cnf", "-cert", f"{ca}.pem", "-keyfile", f"{ca}.key",
            "-in", f"{name}.csr", "-out", f"{name}.pem", *dates)


authority("ca")
authority("other")
certificate("good", HOST)
certificate("expired", HOST, start="20200101000000Z", end="20200201000000Z")
certificate("future", HOST, start="20400101000000Z", end="20400201000000Z")
certificate("name", "evil.example.org")
certificate("foreign", HOST, ca="other")
certificate("token", "token.example.org")
openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "7",
        "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", "self.key", "-out", "self.pem")
key = subprocess.run(["openssl", "x509", "-in", "good.pem", "-pubkey", "-noout"], cwd=FOLDER, check=True,
                     capture_output=True).stdout
der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, check=True, capture_output=True).stdout
PIN = "sha256/" + base64.b64encode(subprocess.run(["openssl", "dgst", "-sha256", "-binary"], input=der, check=True,
                                                  capture_output=True).stdout).decode()


def context(name="good", **limits):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{FOLDER}/{name}.pem", f"{FOLDER}/{name}.key")
    for attribute, value in limits.items():
        if attribute == "ciphers":
            made.set_ciphers(value)
        else:
            setattr(made, attribute, value)
    return made


def head(status="200 OK", *lines, kind="application/json"):
    types = [f"content-type: {kind}"] if kind else []
    return ("HTTP/1.1 " + status + "\r\n" + "".join(line + "\r\n" for line in [*types, *lines]) + "\r\n").encode()


def whole(body=JSON, status="200 OK", *lines, kind="application/json"):
    return head(status, f"content-length: {len(body)}", *lines, kind=kind) + body


def reset(connection):
    """RST instead of FIN."""
    raw = connection
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.close()


def until_gone(connection):
    """Waits until the client has gone, however long it takes it."""
    try:
        while connection.recv(65536):
            pass
    except OSError:
        pass


def forever(connection, piece, pause=0.0):
    try:
        while True:
            connection.sendall(piece)
            if pause:
                time.sleep(pause)
    except OSError:
        pass


def answers(data):
    return lambda connection: connection.sendall(data)


def then_silence(data):
    def answer(connection):
        connection.sendall(data)
        until_gone(connection)
    return answer


def then_reset(data):
    def answer(connection):
        if data:
            connection.sendall(data)
        reset(connection)
    return answer


def then_goodbye(data):
    """With TLS's own end, without which a body that has no length may have been cut by anybody. RFC 8446 section 6.1"""
    def answer(connection):
        connection.sendall(data)
        connection.unwrap()
    return answer


def drips(start, piece, pause):
    def answer(connection):
        connection.sendall(start)
        forever(connection, piece, pause)
    return answer


def redirect(status, location):
    return answers(whole(b"", status, f"location: {location}"))


def endless(start, piece, end):
    """Goes on after the last chunk, or in the middle of one line, without an end."""
    def answer(connection):
        connection.sendall(start)
        forever(connection, piece)
        connection.sendall(end)
    return answer


CHUNKED = head("200 OK", "transfer-encoding: chunked")


def chunks(data, size=1000):
    pieces = [data[at:at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


BOMB = gzip.compress(b"0" * (64 << 20))
PACKED = gzip.compress(JSON, mtime=0)

# What is done after the request has been read: with TLS by the good certificate.
CASES = {
    "whole": answers(whole()),
    "charset": answers(whole(kind="Application/JSON; charset=utf-8")),
    "chunked": answers(head("200 OK", "transfer-encoding: chunked") + b"5\r\n{\"ok\"\r\n6\r\n:true}\r\n0\r\n\r\n"),
    "gzip": answers(whole(PACKED, "200 OK", "content-encoding: gzip")),
    "until-close": then_goodbye(head("200 OK", "connection: close") + JSON),
    "until-cut": answers(head("200 OK", "connection: close") + JSON),
    "no-content": answers(head("204 No Content", kind=None)),
    "not-found": answers(whole(b'{"cod":"404"}', "404 Not Found")),
    "error-page": answers(whole(b"<h1>no</h1>" * 1000, "500 Internal Server Error", kind="text/html")),
    "continue": answers(b"HTTP/1.1 100 Continue\r\n\r\n" + whole()),
    "cookie": answers(whole(JSON, "200 OK", "set-cookie: id=1; Path=/", "etag: \"1\"")),
    "redirect-host": redirect("302 Found", "https://evil.example/"),
    "redirect-loopback": redirect("301 Moved Permanently", "https://127.0.0.1/"),
    "redirect-metadata": redirect("307 Temporary Redirect", "http://169.254.169.254/latest/meta-data/"),
    "redirect-plain": redirect("308 Permanent Redirect", f"http://{HOST}/"),
    "redirect-file": redirect("303 See Other", "file:///etc/passwd"),
    "not-modified": answers(head("304 Not Modified")),
    "silent": until_gone,
    "silent-body": then_silence(head("200 OK", "content-length: 100") + b"{"),
    "drip-head": drips(b"HTTP/1.1 200 OK\r\n", b"x: y\r\n", 0.1),
    "drip-body": drips(head("200 OK", "content-length: 900"), b" ", 0.1),
    "endless-chunks": lambda c: (c.sendall(head("200 OK", "transfer-encoding: chunked")),
                                 forever(c, b"400\r\n" + b" " * 1024 + b"\r\n")),
    "endless-body": lambda c: (c.sendall(head("200 OK", "connection: close")), forever(c, b" " * 4096)),
    "endless-head": lambda c: (c.sendall(b"HTTP/1.1 200 OK\r\n"), forever(c, b"x: " + b"y" * 1000 + b"\r\n")),
    "endless-continue": lambda c: forever(c, b"HTTP/1.1 100 Continue\r\n\r\n", 0.01),
    "announced-large": then_silence(head("200 OK", "content-length: 1000000")),
    "one-too-many": answers(whole(b" " * 1001)),
    "gzip-bomb": answers(whole(BOMB, "200 OK", "content-encoding: gzip")),
    "gzip-garbage": answers(whole(b"\x1f\x8b\x08garbage", "200 OK", "content-encoding: gzip")),
    "brotli": answers(whole(JSON, "200 OK", "content-encoding: br")),
    "deflate": answers(whole(JSON, "200 OK", "content-encoding: deflate")),
    "gzip-twice": answers(whole(gzip.compress(PACKED), "200 OK", "content-encoding: gzip, gzip")),
    "html": answers(whole(b"<p>", kind="text/html")),
    "no-type": answers(whole(kind=None)),
    "two-types": answers(whole(JSON, "200 OK", "content-type: text/html")),
    "two-lengths": answers(head("200 OK", "content-length: 11", "content-length: 12") + JSON),
    "length-and-chunked": answers(
        head("200 OK", "content-length: 3", "transfer-encoding: chunked") + b"b\r\n" + JSON + b"\r\n0\r\n\r\n"),
    "negative-length": answers(head("200 OK", "content-length: -1") + JSON),
    "huge-chunk": answers(head("200 OK", "transfer-encoding: chunked") + b"fffffffffffffffff\r\n{}"),
    "bad-chunk": answers(head("200 OK", "transfer-encoding: chunked") + b"zz\r\n{}"),
    "bad-header": answers(b"HTTP/1.1 200 OK\r\ncontent type: application/json\r\n\r\n"),
    "nul-header": answers(b"HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 2\r\n\r\n{}"),
    "not-http": answers(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "http-0.9": answers(b"<html>no head</html>"),
    "http2": answers(b"\0\0\0\4\0\0\0\0\0"),
    "upgrade": answers(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nxx"),
    "smuggled": answers(whole() + whole(b'{"evil":1}')),
    "smuggled-kept": answers(whole() + whole(b'{"evil":1}')),
    "short-body": answers(head("200 OK", "content-length: 100") + JSON),
    "short-chunk": answers(head("200 OK", "transfer-encoding: chunked") + b"40\r\n" + JSON),
    "nothing": answers(b""),
    "reset-request": then_reset(b""),
    "reset-head": then_reset(b"HTTP/1.1 200 OK\r\ncontent-"),
    "reset-body": then_reset(head("200 OK", "content-length: 100") + b"{"),
    "trailers": answers(CHUNKED + b"b\r\n" + JSON + b"\r\n0\r\nset-cookie: id=1\r\n\r\n"),
    "trailer-length": answers(CHUNKED + b"b\r\n" + JSON + b"\r\n0\r\ncontent-length: 3\r\n\r\n"),
    "endless-trailers": endless(CHUNKED + b"b\r\n" + JSON + b"\r\n0\r\n", b"x: " + b"y" * 1000 + b"\r\n", b""),
    "endless-extension": endless(CHUNKED + b"b;", b"x" * 4096, b""),
    "early-hints": answers(b"HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n" * 3 + whole()),
    "gzip-chunked": answers(head("200 OK", "transfer-encoding: chunked", "content-encoding: gzip") + chunks(PACKED, 5)),
    "gzip-bomb-chunked": answers(
        head("200 OK", "transfer-encoding: chunked", "content-encoding: gzip") + chunks(BOMB)),
    "gzip-cut": answers(whole(PACKED[:-12], "200 OK", "content-encoding: gzip")),
    "gzip-tail": answers(whole(PACKED + b"more", "200 OK", "content-encoding: gzip")),
    "gzip-checksum": answers(whole(PACKED[:-8] + b"\0" * 8, "200 OK", "content-encoding: gzip")),
    "gzip-two-headers": answers(whole(PACKED, "200 OK", "content-encoding: gzip", "content-encoding: gzip")),
    "gzip-transfer": answers(head("200 OK", "transfer-encoding: gzip, chunked") + chunks(PACKED)),
    "http-2-line": answers(whole().replace(b"HTTP/1.1", b"HTTP/2.0")),
    "status-four-digits": answers(whole(JSON, "2000 OK")),
    "status-minus": answers(whole(JSON, "-200 OK")),
    "status-999": answers(whole(JSON, "999 What")),
    "folded-header": answers(head("200 OK", "x: a\r\n b", f"content-length: {len(JSON)}") + JSON),
    "spaced-length": answers(head("200 OK", f"content-length : {len(JSON)}") + JSON),
    "plus-length": answers(head("200 OK", f"content-length: +{len(JSON)}") + JSON),
    "listed-length": answers(head("200 OK", f"content-length: {len(JSON)}, {len(JSON)}") + JSON),
    "huge-length": answers(head("200 OK", "content-length: 99999999999999999999") + JSON),
    "bare-line-feeds": answers(whole().replace(b"\r\n", b"\n")),
    "resumed": lambda c: c.sendall(whole(json.dumps({"resumed": c.session_reused}).encode())),
    "wire": answers(whole()), "unlinkable": answers(whole()), "rebound": answers(whole()), "not-stand-in": answers(whole()),
    "reset-chunk": then_reset(head("200 OK", "transfer-encoding: chunked") + b"b\r\n{"),
}

# The answers of a token endpoint (OAuth 2, RFC 6749 section 5); the request that needs the token goes to `token-used`.
def token(words='"access_token": "fresh", "token_type": "Bearer"', status="200 OK", kind="application/json"):
    return answers(whole(("{" + words + "}").encode(), status, kind=kind))


CASES |= {f"token-{name}": answer for name, answer in {
    "used": answers(whole()),
    "good": token('"access_token": "fresh", "token_type": "bearer", "expires_in": 0, "refresh_token": "next"'),
    "mac": token('"access_token": "fresh", "token_type": "mac"'),
    "dpop": token('"access_token": "fresh", "token_type": "DPoP"'),
    "no-type": token('"access_token": "fresh"'),
    "none": token('"token_type": "Bearer"'),
    "empty": token('"access_token": "", "token_type": "Bearer"'),
    "number": token('"access_token": 7, "token_type": "Bearer"'),
    "split": token(r'"access_token": "fresh\r\nx-evil: 1", "token_type": "Bearer"'),
    "blank": token('"access_token": "fresh evil", "token_type": "Bearer"'),
    "letters": token('"access_token": "frësh", "token_type": "Bearer"'),
    "long": token('"access_token": "' + "a" * 8193 + '", "token_type": "Bearer"'),
    "twice": token('"access_token": "fresh", "access_token": "other", "token_type": "Bearer"'),
    "two": answers(whole(b'{"access_token": "fresh", "token_type": "Bearer"}{"access_token": "x"}')),
    "deep": token('"access_token": "fresh", "token_type": "Bearer", "x": ' + "[" * 5000 + "]" * 5000),
    "oversized": token('"access_token": "fresh", "token_type": "Bearer", "x": "' + "a" * 70000 + '"'),
    "error": token('"error": "invalid_grant"', "400 Bad Request"),
    "error-with-token": token(status="401 Unauthorized"),
    "created": token(status="201 Created"),
    "html": token(kind="text/html"),
    "redirect": redirect("307 Temporary Redirect", "https://evil.example.org/token"),
    "redirect-here": redirect("308 Permanent Redirect", "/elsewhere"),
    "endless": drips(head("200 OK", "content-length: 1000") + b"{", b" ", 0.1),
    "long-refresh": token('"access_token": "fresh", "token_type": "Bearer", "expires_in": -9, "refresh_token": "' + "a" * 8193 + '"'),
}.items()}

# What TLS is like, before any request.
SECURITY = {
    "pinned": context(),
    "expired": context("expired"),
    "not-yet": context("future"),
    "other-name": context("name"),
    "other-authority": context("foreign"),
    "self-signed": context("self"),
    "tls-1.2": context(maximum_version=ssl.TLSVersion.TLSv1_2),
    "tls-1.1": context(minimum_version=ssl.TLSVersion.TLSv1, maximum_version=ssl.TLSVersion.TLSv1_1,
                       ciphers="ALL:@SECLEVEL=0"),
}


def tell(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


told = threading.Lock()


def read_request(connection):
    """The request to the end of its body; what comes later is read by whoever answers."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
    start, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in start.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        piece = connection.recv(65536)
        if not piece:
            break
        body += piece
    return start + b"\r\n\r\n" + body


def handle(name, raw, security, answer, keeps):
    received = b""
    connection = raw
    try:
        raw.settimeout(300)
        if security is not None:
            connection = security.wrap_socket(raw, server_side=True)
        while True:
            request = read_request(connection)
            received += request
            if not request:
                break
            answer(connection)
            if not keeps:
                break
        if connection.fileno() >= 0:
            connection.close()
    except (OSError, ssl.SSLError):
        pass
    finally:
        try:
            connection.close()
        except OSError:
            pass
    with told:
        tell({"case": name, "received": base64.b64encode(received).decode()})


def listen(name, accept, backlog=64):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(backlog)

    def loop():
        while True:
            raw, _ = listener.accept()
            threading.Thread(target=accept, args=(raw,), daemon=True).start()

    if accept is not None:
        threading.Thread(target=loop, daemon=True).start()
    return listener


def reporting(name, action):
    """A connection that never gets as far as a request."""
    def accept(raw):
        try:
            action(raw)
        except OSError:
            pass
        with told:
            tell({"case": name, "received": ""})
    return accept


def reset_handshake(raw):
    raw.recv(5)
    reset(raw)


def garbage_handshake(raw):
    raw.recv(5)
    raw.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    until_gone(raw)
    raw.close()


class Line:
    """What a client says, a line at a time."""

    def __init__(self, connection):
        self.connection, self.received, self.rest = connection, b"", b""

    def next(self):
        while b"\n" not in self.rest:
            piece = self.connection.recv(65536)
            if not piece:
                raise OSError("gone")
            self.received += piece
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        return line.rstrip(b"\r").decode()


def mail(name, security=None, **other):
    """A server that mail is handed in at (RFC 5321), with other replies: text, something to do, or None for silence."""
    replies = {"greeting": "220 mail.example.org", "EHLO": "250-mail.example.org\r\n250 AUTH LOGIN PLAIN", "AUTH": "235 in",
               "MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 go on", "end": "250 taken", "QUIT": "221 bye"} | other

    def accept(raw):
        line, connection = None, raw
        try:
            raw.settimeout(300)
            if security != "none":
                connection = (security or GOOD).wrap_socket(raw, server_side=True)
            line = Line(connection)
            step = "greeting"
            while step:
                reply = replies[step]
                if reply is None:
                    line.next()
                elif callable(reply):
                    reply(connection)
                else:
                    connection.sendall(reply.encode("latin-1") + (b"" if reply.endswith("\n") else b"\r\n"))
                if step == "QUIT":
                    break
                if step == "DATA" and reply[0] == "3":
                    while line.next() != ".":
                        pass
                    step = "end"
                else:
                    step = line.next().split(" ")[0]
        except (OSError, ssl.SSLError, KeyError, ValueError):
            pass
        finally:
            connection.close()
        with told:
            tell({"case": name, "received": base64.b64encode(line.received if line else b"").decode()})

    return accept


KEEPING = {"wire", "whole", "unlinkable", "cookie", "smuggled-kept", "gzip"}
GOOD, TOKEN = context(), context("token")
listeners = {}
for name, answer in CASES.items():
    listeners[name] = listen(
        name, lambda raw, n=name, a=answer: handle(n, raw, TOKEN if n.startswith("token-") and n != "token-used" else GOOD, a,
                                                   n in KEEPING))
for name, security in SECURITY.items():
    listeners[name] = listen(name, lambda raw, n=name, s=security: handle(n, raw, s, CASES["whole"], False))
for name, other in {
    "good": {},
    "greeting-refuses": {"greeting": "554 not here"},
    "greeting-http": {"greeting": "HTTP/1.1 200 OK"},
    "greeting-code": {"greeting": "2200 hello"},
    "greeting-word": {"greeting": "hello"},
    "greeting-silent": {"greeting": None},
    "greeting-endless": {"greeting": lambda c: forever(c, b"220-still\r\n")},
    "greeting-one-line": {"greeting": lambda c: forever(c, b"220 " + b"x" * 1000)},
    "greeting-drips": {"greeting": drips(b"220", b"-", 0.3)},
    "greeting-bare": {"greeting": "220 hello\n"},
    "greeting-gone": {"greeting": lambda c: c.close()},
    "split": {"EHLO": "250 AUTH PLAIN\r\n235 in"},
    "split-later": {"AUTH": "235 in\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 taken"},
    "mixed-marks": {"EHLO": "250+AUTH PLAIN"},
    "no-login": {"EHLO": "250 mail.example.org"},
    "other-login": {"EHLO": "250-mail.example.org\r\n250 AUTH LOGIN XOAUTH2"},
    "starttls-only": {"EHLO": "250-mail.example.org\r\n250 STARTTLS"},
    "ehlo-refused": {"EHLO": "502 no"},
    "login-refused": {"AUTH": "535 no"},
    "login-asks": {"AUTH": "334 VXNlcm5hbWU6"},
    "recipient-refused": {"RCPT": "550 no such person"},
    "recipient-closes": {"RCPT": lambda c: c.close()},
    "data-refused": {"DATA": "554 no"},
    "end-silent": {"end": None},
    "end-refused": {"end": "552 too much"},
}.items():
    listeners[f"mail-{name}"] = listen(f"mail-{name}", mail(f"mail-{name}", **other))
listeners["mail-plain"] = listen("mail-plain", mail("mail-plain", "none", EHLO="250-mail\r\n250-STARTTLS\r\n250 AUTH PLAIN"))
listeners["mail-other-name"] = listen("mail-other-name", mail("mail-other-name", SECURITY["other-name"]))
listeners["plain-http"] = listen("plain-http", lambda raw: handle("plain-http", raw, None, CASES["whole"], False))
listeners["plain"] = listen("plain", lambda raw: handle("plain", raw, None, CASES["whole"], False))
listeners["reset-accept"] = listen("reset-accept", reporting("reset-accept", reset))
listeners["reset-handshake"] = listen("reset-handshake", reporting("reset-handshake", reset_handshake))
listeners["garbage-handshake"] = listen("garbage-handshake", reporting("garbage-handshake", garbage_handshake))
listeners["silent-handshake"] = listen("silent-handshake", reporting("silent-handshake", until_gone))
# A queue that is full: further connections get no answer at all.
full = listen("full", None, backlog=0)
listeners["full"] = full
fillers = []
for _ in range(4):
    filler = socket.socket()
    filler.setblocking(False)
    filler.connect_ex(full.getsockname())
    fillers.append(filler)
closed = socket.socket()
closed.bind(("127.0.0.1", 0))
listeners["closed"] = closed

tell({"ports": {name: listener.getsockname()[1] for name, listener in listeners.items()}, "ca": f"{FOLDER}/ca.pem",
      "pin": PIN})
sys.stdin.read()
