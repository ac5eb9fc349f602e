"""The servers of the ten apps that are stand-ins on loopback, with the shapes of the real ones by their public documentation (AT Protocol's
lexicons, exposure-notifications-server's publish API, WordPress' REST API, Home Assistant's mobile_app webhooks, MediaWiki's geosearch).
DuckDuckGo documents no such interface: its shape is our own, as is the contacts service's. `own_servers.py` has the real ones."""

import hashlib
import http.server
import json
import math
import os
import socketserver
import ssl
import subprocess
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "Plugins/check-exposure"), os.path.join(HERE, "direct")]

import blinding  # noqa: E402
import p256  # noqa: E402

PUBLIC = ["bsky.social", "exposure.example.org", "duckduckgo.com", "chat.example.org", "en.wikipedia.org"]
OWN = ["mail.example.org", "wordpress.example.org", "home.example.org"]
PUBLIC.append("tile.openstreetmap.org")
# The key of the sample health authority; `check-exposure` has its public half.
AUTHORITY = int.from_bytes(hashlib.sha256(b"the sample health authority").digest(), "big") % p256.ORDER
TOWN = [("Bryggen", 1100001, 612.4), ("Grieg Hall", 1100008, 900.2)]


class Request:
    """What came, byte for byte."""

    def __init__(self, handler, body):
        parts = urlsplit(handler.path)
        self.host = handler.headers["host"].partition(":")[0]
        self.line = f"{handler.command} {parts.path}"
        self.query = parse_qs(parts.query)
        self.headers = {name.lower(): value for name, value in handler.headers.items()}
        self.body = body
        self.raw = handler.path.encode() + b"\n" + str(handler.headers).encode() + body


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        request = Request(self, body)
        self.server.owner.requests.append(request)
        status, kind, data = self.server.owner.answer(request)
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass


class Threads(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


class Server:
    """All of them behind one port, told apart by the name that they are asked by."""

    def __init__(self, folder):
        self.requests, self.published, self.users, self.blobs, self.tokens = [], [], [], {}, []
        self.forged = b""
        names = ",".join(f"DNS:{name}" for name in PUBLIC + OWN)
        key, certificate = f"{folder}/server.key", f"{folder}/server.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
             "/CN=stand-in", "-addext", f"subjectAltName={names}", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server = Threads(("127.0.0.1", 0), Handler)
        server.owner = self
        server.socket = context.wrap_socket(server.socket, server_side=True)
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.secret = blinding.secret()
        self.configuration = {"egress": {
            "standIns": {name: {"port": self.port} for name in PUBLIC}, "trustRoots": certificate}}

    def answer(self, request):
        try:
            made = self.made(request)
        except (KeyError, ValueError, IndexError, TypeError):
            made = None
        if isinstance(made, tuple):
            return made
        if isinstance(made, bytes):
            kind = "image/png" if made.startswith(b"\x89PNG") else "application/octet-stream"
            return 200, kind, made
        status = 200 if made is not None else 404
        return status, "application/json", json.dumps(made if made is not None else {"error": "InvalidRequest"}).encode()

    def made(self, request):
        match request.host, request.line:
            case "bsky.social", "POST /xrpc/com.atproto.repo.uploadBlob":
                kind = request.headers["content-type"]
                link = f"bafkrei{len(request.body)}"
                self.blobs[link] = request.body
                return {"blob": {"$type": "blob", "ref": {"$link": link}, "mimeType": kind, "size": len(request.body)}}
            case "bsky.social", "POST /oauth/token":
                form = parse_qs(request.body.decode())
                assert form["grant_type"] == ["refresh_token"] and form["client_id"] == ["escrow-sample"]
                self.tokens.append(form["refresh_token"][0])
                return {"access_token": f"access-{len(self.tokens)}", "token_type": "Bearer", "expires_in": 3600,
                        "refresh_token": f"refresh-{len(self.tokens)}"}
            case "bsky.social", "GET /xrpc/com.atproto.repo.getRecord":
                return {"uri": "at://x", "cid": "bafyreiprofile", "value": {
                    "$type": "app.bsky.actor.profile", "displayName": "Ada", "description": "Engines", "pinnedPost": {}}}
            case "bsky.social", "POST /xrpc/com.atproto.repo.putRecord":
                asked = json.loads(request.body)
                assert asked["record"]["$type"] == asked["collection"] == "app.bsky.actor.profile" and asked["rkey"] == "self"
                self.blobs[asked["record"]["avatar"]["ref"]["$link"]]
                return {"uri": f"at://{asked['repo']}/app.bsky.actor.profile/self", "cid": "bafyreinew"}
            case "bsky.social", "POST /xrpc/com.atproto.repo.createRecord":
                asked = json.loads(request.body)
                record = asked["record"]
                assert record["$type"] == asked["collection"] == "app.bsky.feed.post"
                self.blobs[record["embed"]["images"][0]["image"]["ref"]["$link"]]
                return {"uri": f"at://{asked['repo']}/app.bsky.feed.post/3k2a", "cid": "bafyrei"}
            case "exposure.example.org", "POST /v1/publish":
                return {"insertedExposures": len(json.loads(request.body)["temporaryExposureKeys"]), "revisionToken": "x"}
            case "exposure.example.org", "GET /v1/export.bin":
                return self.export()
            case "exposure.example.org", "GET /v1/export.sig":
                signature = p256.sign(AUTHORITY, self.export() + self.forged, int.from_bytes(os.urandom(31), "big") + 1)
                # A TEKSignatureList of one TEKSignature, of which field 4 is the signature.
                one = b"\x22" + bytes([len(signature)]) + signature
                return b"\x0a" + bytes([len(one)]) + one
            case "tile.openstreetmap.org", line if line.startswith("GET /12/"):
                return tile(*map(int, line.removesuffix(".png").split("/")[2:]))
            case "duckduckgo.com", "GET /local.js":
                return {"results": [{"name": "Krok og Krinkel", "phone": "1"}, {"name": "Kaffebrenneriet"}], "ads": [1]}
            case "chat.example.org", "POST /v2/discover":
                points = json.loads(request.body)["points"]
                return {"points": [blinding.times(self.secret, bytes.fromhex(point)).hex() for point in points],
                        "users": sorted(blinding.times(self.secret, blinding.point(user)).hex() for user in self.users)}
            case "chat.example.org", line if line.startswith("PUT /v1/attachments/") or line.startswith("POST /v1/messages/"):
                return {"id": 1}
            case "en.wikipedia.org", "GET /w/api.php":
                return {"query": {"geosearch": [{"pageid": page, "ns": 0, "title": title, "dist": far}
                                                for title, page, far in TOWN]}}
            case "wordpress.example.org", "POST /wp-json/wp/v2/media":
                return {"id": 41, "source_url": "https://wordpress.example.org/41.jpg"}
            case "wordpress.example.org", "POST /wp-json/wp/v2/posts":
                return {"id": 7, "link": "https://wordpress.example.org/7", "content": {"rendered": "x"}}
            case "home.example.org", line if line.startswith("POST /api/webhook/"):
                return {}
            case "home.example.org", "POST /api/conversation/process":
                return {"response": {"speech": {"plain": {"speech": "It goes forward.", "extra_data": None}},
                                     "response_type": "action_done"}, "conversation_id": "x"}

    def export(self):
        """Field 7 of a TemporaryExposureKeyExport; of each key its field 1, and the rolling period, 144, as field 4."""
        keys = b"".join(b"\x3a\x15\x0a\x10" + key + b"\x20\x90\x01" for key in self.published)
        return b"EK Export v1    " + keys


def tile(x, y):
    """A tile that says by its colour which it is."""
    import struct
    import zlib

    colour = bytes([x % 256, y % 256, 128])
    rows = (b"\0" + colour * 256) * 256

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def metres(a, b, c, d):
    a, b, c, d = map(math.radians, (a, b, c, d))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6371008.8 * math.asin(math.sqrt(h))


def us_numbers(rows):
    found = set()
    for row in rows:
        digits = "".join(digit for digit in (row["phoneNumber"] if isinstance(row, dict) else row[0]) if digit in "0123456789")
        if len(digits) == 11 and digits[0] == "1":
            digits = digits[1:]
        if len(digits) == 10:
            found.add("+1" + digits)
    return sorted(found)


def next_second():
    """Decisions are dated by the second."""
    now = int(time.time())
    while int(time.time()) == now:
        time.sleep(0.01)


def recorder(path, states):
    """A database as Home Assistant's recorder writes it: of each entity its states, a minute apart."""
    import sqlite3

    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE states_meta (metadata_id INTEGER PRIMARY KEY, entity_id TEXT);"
        "CREATE TABLE state_attributes (attributes_id INTEGER PRIMARY KEY, hash INTEGER, shared_attrs TEXT);"
        "CREATE TABLE states (state_id INTEGER PRIMARY KEY, metadata_id INTEGER, state TEXT, attributes_id INTEGER,"
        " last_changed_ts FLOAT, last_updated_ts FLOAT);")
    for number, (entity, values) in enumerate(states.items(), 1):
        database.execute("INSERT INTO states_meta VALUES (?, ?)", (number, entity))
        for minute, value in enumerate(values):
            database.execute("INSERT INTO states (metadata_id, state, last_updated_ts) VALUES (?, ?, ?)",
                             (number, value, 1_772_600_000 + 60 * minute))
    database.commit()
    database.close()
