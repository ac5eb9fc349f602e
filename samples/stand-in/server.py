"""Stand-ins on loopback for two services of the internet, with the request and answer shapes of the real ones: the
current-weather API of OpenWeatherMap, and the geosearch API of Wikipedia; and an echo, which answers a POST to /location with
what it got.

    server.py FOLDER [--port PORT] [--stop-at connection|request]

makes a certificate in FOLDER (openssl), listens with TLS, writes FOLDER/config.json, which an escrow home takes as its
own, and prints one line "listening PORT". All bytes of every request are appended to FOLDER/received.log, one line of
Base64 each, as soon as they have come. With --stop-at the first connection or the first request is held there: "stopped"
is printed, and a line on stdin lets it go on. It ends when its stdin does.
"""

import argparse
import base64
import json
import math
import secrets
import socket
import ssl
import subprocess
import sys
import threading
from urllib.parse import parse_qs, urlsplit

NAMES = ["api.openweathermap.org", "en.wikipedia.org", "echo.example.org"]
APPID = "00000000000000000000000000000000"
ARTICLES = [  # pageid, title, latitude, longitude
    (1100001, "Bryggen", 60.39750, 5.32440), (1100002, "Fløyen", 60.39460, 5.34330),
    (1100003, "St. Mary's Church, Bergen", 60.39900, 5.32290), (1100004, "Bergenhus Fortress", 60.39970, 5.31860),
    (1100005, "Bergen Cathedral", 60.39380, 5.32970), (1100006, "Bergen railway station", 60.39040, 5.33330),
    (1100007, "KODE Art Museums of Bergen", 60.38920, 5.32690), (1100008, "Grieg Hall", 60.38890, 5.32910),
    (1100009, "University Museum of Bergen", 60.38760, 5.32180), (1100010, "Gamle Bergen Museum", 60.41830, 5.30890),
    (1100011, "Sandviken Church", 60.40480, 5.32430), (1100012, "Johanneskirken, Bergen", 60.38850, 5.31890),
    (1100013, "Nygård Lake (a sample article)", 60.37190, 5.27220), (1100014, "Old Post Road (a sample article)", 60.36650, 5.26510),
]


def weather(query):
    if query.get("appid") != [APPID]:
        return 401, {"cod": 401, "message": "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info."}
    lat, lon = float(query["lat"][0]), float(query["lon"][0])
    # The further from the equator the colder: an answer that depends on what was asked.
    temp = round(27 - abs(lat) * 0.35 + (lon % 5) * 0.2, 2)
    return 200, {
        "coord": {"lon": lon, "lat": lat},
        "weather": [{"id": 500, "main": "Rain", "description": "light rain", "icon": "10d"}],
        "base": "stations",
        "main": {"temp": temp, "feels_like": round(temp - 2.1, 2), "temp_min": temp - 1, "temp_max": temp + 1,
                 "pressure": 1004, "humidity": 87, "sea_level": 1004, "grnd_level": 998},
        "visibility": 10000, "wind": {"speed": 5.66, "deg": 200, "gust": 9.1}, "rain": {"1h": 0.42},
        "clouds": {"all": 75}, "dt": 1772993400,
        "sys": {"type": 1, "id": 1612, "country": "NO", "sunrise": 1772948411, "sunset": 1772989212},
        "timezone": 3600, "id": 3161732, "name": "Bergen", "cod": 200,
    }


def geosearch(query):
    lat, lon = map(float, query["gscoord"][0].split("|"))
    radius, limit = float(query["gsradius"][0]), int(query["gslimit"][0])
    found = []
    for pageid, title, a, b in ARTICLES:
        distance = metres(lat, lon, a, b)
        if distance <= radius:
            found.append({"pageid": pageid, "ns": 0, "title": title, "lat": a, "lon": b, "dist": round(distance, 1),
                          "primary": ""})
    found.sort(key=lambda article: article["dist"])
    return 200, {"batchcomplete": "", "query": {"geosearch": found[:limit]}}


def metres(a, b, c, d):
    a, b, c, d = map(math.radians, (a, b, c, d))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6371008.8 * math.asin(math.sqrt(h))


def answer(host, method, target, body):
    parts = urlsplit(target)
    query = parse_qs(parts.query)
    try:
        if host == NAMES[0] and parts.path == "/data/2.5/weather":
            return weather(query)
        if host == NAMES[1] and parts.path == "/w/api.php" and query.get("list") == ["geosearch"]:
            return geosearch(query)
        if host == NAMES[2] and (method, parts.path) == ("POST", "/location"):
            return 200, json.loads(body)
    except (KeyError, ValueError):
        return 400, {"cod": "400", "message": "wrong query"}
    return 404, {"cod": "404", "message": "not found"}


class Stop:
    """Holds the first connection that comes to a place, until it is let go."""

    def __init__(self, place):
        self.place, self.go = place, threading.Event()

    def at(self, place):
        if self.place == place:
            self.place = None
            print("stopped", flush=True)
            self.go.wait()


def serve(raw, security, log, lock, stop):
    try:
        stop.at("connection")
        with security.wrap_socket(raw, server_side=True) as connection:
            while True:
                data = b""
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    data += piece
                head, _, body = data.partition(b"\r\n\r\n")
                lengths = [line.partition(b":")[2] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
                while lengths and len(body) < int(lengths[0]):
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    body += piece
                    data += piece
                with lock, open(log, "ab") as file:
                    file.write(base64.b64encode(data) + b"\n")
                stop.at("request")
                lines = head.decode("latin-1").split("\r\n")
                hosts = [line.partition(":")[2].strip() for line in lines[1:] if line.lower().startswith("host:")]
                method, target = lines[0].split(" ")[:2]
                status, said = answer(hosts[0] if hosts else "", method, target, body)
                text = json.dumps(said).encode()
                reason = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}[status]
                # As services do: a cookie and a tag, by which they would know this visitor again.
                connection.sendall((f"HTTP/1.1 {status} {reason}\r\nContent-Type: application/json; charset=utf-8\r\n"
                                    f"Set-Cookie: visitor={secrets.token_hex(8)}\r\nETag: \"{secrets.token_hex(8)}\"\r\n"
                                    f"Content-Length: {len(text)}\r\n\r\n").encode() + text)
    except (OSError, ssl.SSLError):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--stop-at", choices=["connection", "request"])
    options = parser.parse_args()
    pem, key = f"{options.folder}/stand-in.pem", f"{options.folder}/stand-in.key"
    names = ",".join("DNS:" + name for name in NAMES)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "7", "-subj", "/CN=escrow stand-in", "-addext", "subjectAltName=" + names,
                    "-keyout", key, "-out", pem], check=True, capture_output=True)
    security = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    security.load_cert_chain(pem, key)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", options.port))
    listener.listen(64)
    port = listener.getsockname()[1]
    with open(f"{options.folder}/config.json", "w") as file:
        json.dump({"egress": {"standIns": {name: {"port": port} for name in NAMES}, "trustRoots": pem}}, file, indent=2)
        file.write("\n")
    log, lock = f"{options.folder}/received.log", threading.Lock()
    open(log, "ab").close()

    stop = Stop(options.stop_at)

    def accept():
        while True:
            raw, _ = listener.accept()
            threading.Thread(target=serve, args=(raw, security, log, lock, stop), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("listening", port, flush=True)
    for _ in sys.stdin:
        stop.go.set()


main()
