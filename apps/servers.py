"""The servers of the ten apps on loopback: Nextcloud's is wsgidav; the others have the shapes of the real ones, by their public
documentation (AT Protocol's lexicons, exposure-notifications-server's publish API, JMAP, WordPress' REST API, Home Assistant's
mobile_app webhooks, MediaWiki's geosearch). DuckDuckGo documents no such interface: its shape is our own, as is the contacts
service's."""

import base64
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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Plugins/find-contacts"))

import p256  # noqa: E402

PUBLIC = ["bsky.social", "exposure.example.org", "duckduckgo.com", "chat.example.org", "en.wikipedia.org"]
OWN = ["mail.example.org", "wordpress.example.org", "home.example.org"]
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
        self.requests, self.published, self.users, self.blobs = [], [], [], {}
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
        self.secret = p256.secret(os.urandom(48))
        self.configuration = {"egress": {
            "standIns": {name: {"port": self.port} for name in PUBLIC}, "trustRoots": certificate}}

    def answer(self, request):
        try:
            made = self.made(request)
        except (KeyError, ValueError, IndexError, TypeError):
            made = None
        if isinstance(made, bytes):
            return 200, "application/octet-stream", made
        status = 200 if made is not None else 404
        return status, "application/json", json.dumps(made if made is not None else {"error": "InvalidRequest"}).encode()

    def made(self, request):
        match request.host, request.line:
            case "bsky.social", "POST /xrpc/com.atproto.repo.uploadBlob":
                kind = request.headers["content-type"]
                link = f"bafkrei{len(request.body)}"
                self.blobs[link] = request.body
                return {"blob": {"$type": "blob", "ref": {"$link": link}, "mimeType": kind, "size": len(request.body)}}
            case "bsky.social", "POST /xrpc/com.atproto.repo.createRecord":
                asked = json.loads(request.body)
                record = asked["record"]
                assert record["$type"] == asked["collection"] == "app.bsky.feed.post"
                self.blobs[record["embed"]["images"][0]["image"]["ref"]["$link"]]
                return {"uri": f"at://{asked['repo']}/app.bsky.feed.post/3k2a", "cid": "bafyrei"}
            case "exposure.example.org", "POST /v1/publish":
                return {"insertedExposures": len(json.loads(request.body)["temporaryExposureKeys"]), "revisionToken": "x"}
            case "exposure.example.org", "GET /v1/export.bin":
                # Field 7 of the export; of each key its field 1, and the rolling period, 144, as field 4.
                keys = b"".join(b"\x3a\x15\x0a\x10" + key + b"\x20\x90\x01" for key in self.published)
                return b"EK Export v1    " + keys
            case "duckduckgo.com", "GET /local.js":
                return {"results": [{"name": "Krok og Krinkel", "phone": "1"}, {"name": "Kaffebrenneriet"}], "ads": [1]}
            case "chat.example.org", "POST /v1/discover":
                points = [p256.unpack(bytes.fromhex(point)) for point in json.loads(request.body)["points"]]
                return {"points": [p256.pack(p256.multiply(self.secret, point)).hex() for point in points],
                        "users": sorted(p256.pack(p256.multiply(self.secret, p256.hashed(user.encode()))).hex()
                                        for user in self.users)}
            case "en.wikipedia.org", "GET /w/api.php":
                return {"query": {"geosearch": [{"pageid": page, "ns": 0, "title": title, "dist": far}
                                                for title, page, far in TOWN]}}
            case "mail.example.org", "POST /jmap/api":
                calls = json.loads(request.body)["methodCalls"]
                return {"methodResponses": [[name, {"created": {}}, number] for name, _, number in calls], "sessionState": "0"}
            case "wordpress.example.org", "POST /wp-json/wp/v2/media":
                return {"id": 41, "source_url": "https://wordpress.example.org/41.jpg"}
            case "wordpress.example.org", "POST /wp-json/wp/v2/posts":
                return {"id": 7, "link": "https://wordpress.example.org/7", "content": {"rendered": "x"}}
            case "home.example.org", line if line.startswith("POST /api/webhook/"):
                return {}


class Cloud:
    """wsgidav, as somebody's own cloud: a real WebDAV server with a user and a password."""

    def __init__(self, folder, user, password):
        from cheroot import wsgi
        from wsgidav.wsgidav_app import WsgiDAVApp

        self.root = os.path.join(folder, "cloud")
        os.makedirs(f"{self.root}/{user}")
        app = WsgiDAVApp({
            "provider_mapping": {"/files": self.root}, "verbose": 0, "logging": {"enable": False},
            "http_authenticator": {"domain_controller": None, "accept_basic": True, "accept_digest": False},
            "simple_dc": {"user_mapping": {"*": {user: {"password": password}}}}})
        self.server = wsgi.Server(("127.0.0.1", 0), app)
        self.server.prepare()
        self.port = self.server.bind_addr[1]
        threading.Thread(target=self.server.serve, daemon=True).start()


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
