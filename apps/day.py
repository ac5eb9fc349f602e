#!/usr/bin/env python3
"""The day of the ten apps: each runs once against its server, and what it learned and what passed is looked at.

    day.py ESCROW PACKAGES FOLDER [--only APP]

ESCROW is the program, PACKAGES the signed plugins, FOLDER where the home goes, unless there is one. Nextcloud's server is wsgidav;
the others are stand-ins on loopback with the shapes of the real ones. Exits with 77 where a server is missing."""

import argparse
import hashlib
import json
import os
import pty
import subprocess
import sys
import threading
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)

import servers  # noqa: E402

SECRET = {"bsky.social": "bsky-token-5511", "mail": "mail-token-5512", "wordpress": "site-password-5513",
          "home": "home-token-5514", "nextcloud": "cloud-password-5515"}


class Day:
    """One home, its servers, and what was seen."""

    def __init__(self, words):
        self.escrow, self.packages, self.folder = words.escrow, words.packages, words.folder
        self.home = os.path.join(self.folder, "home")
        os.environ.update(ESCROW=self.escrow, ESCROW_HOME=self.home)
        if not os.path.isdir(self.home):
            self.run("init")
            keys = json.loads(self.run("key", "list", "--format", "json", "--home", f"{self.packages}/publisher"))
            self.run("trust", "add", "org.example.*", keys["keys"][0]["publicKey"], "--name", "Samples")
        self.server = servers.Server(self.folder)
        with open(f"{self.home}/config.json", "w") as file:
            json.dump(self.server.configuration, file)
        self.text = ""

    def run(self, *words, given=None):
        done = subprocess.run([self.escrow, *words], input=given, text=True, capture_output=True)
        assert done.returncode == 0, f"escrow {' '.join(words)}: {done.stderr}"
        return done.stdout

    def source(self, kind, path):
        self.run("source", "add", kind, path if os.path.isabs(path) else os.path.join(ROOT, path))

    def allow(self, plugin, app):
        self.run("plugin", "install", f"{self.packages}/{plugin}.escrow", "--yes")
        self.run("grant", "allow", "--app", app, "--plugin", plugin)

    def keep(self, server, *words):
        self.run("credential", "add", server, *words, given=SECRET[server] + "\n")

    def own(self, name):
        self.run("endpoint", "set", name, f"https://{name}.example.org:{self.server.port}", "--address", "127.0.0.1")

    def app(self, name, *words, typed=None, status=0):
        """Runs an app as the person does, on a terminal where they type; what it wrote to its stdout."""
        command = [os.path.join(HERE, name, name), *words]
        if typed is None:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, text=True, capture_output=True)
            self.text = done.stderr
            assert done.returncode == status, f"{name} ended with {done.returncode}: {done.stderr}"
            return done.stdout
        ours, theirs = pty.openpty()
        os.write(ours, typed.encode())
        process = subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, start_new_session=True)
        os.close(theirs)
        seen = []

        def read():
            try:
                while piece := os.read(ours, 65536):
                    seen.append(piece)
            except OSError:
                pass

        thread = threading.Thread(target=read)
        thread.start()
        output = process.stdout.read().decode()
        process.wait()
        thread.join(5)
        os.close(ours)
        self.text = b"".join(seen).decode(errors="replace")
        assert process.returncode == status, f"{name} ended with {process.returncode}: {self.text}"
        return output

    def access(self, sql):
        return json.loads(self.run("access", sql, "--format", "json"))

    def rows(self, sql):
        answer = self.access(sql)
        return answer["rows"] if isinstance(answer, dict) else answer

    def secrets_are_nowhere(self, output):
        """What the individual keeps is on the wire alone: not with the app, nor in the ledger."""
        told = output + self.text + self.run("egress", "list", "--each", "--format", "json")
        for secret in SECRET.values():
            assert secret not in told, "a secret was told"
        for folder, _, names in os.walk(self.home):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    data = file.read()
                assert not any(secret.encode() in data for secret in SECRET.values()), f"a secret lies in {name}"


def sent(day, host=None):
    return [request for request in day.server.requests if host in (None, request.host)]


def digest(data):
    return hashlib.sha256(data).hexdigest()


def bluesky(day):
    day.source("photos", "samples/photos")
    day.allow("post-picture", "app.bsky")
    refused = day.app("bluesky", "did:plc:ada", "hello", typed="1\n", status=17)
    assert refused == "" and not sent(day), "something left without a token"
    day.keep("bsky.social")
    output = day.app("bluesky", "did:plc:ada", "hello", typed="scan\n1\n")
    assert json.loads(output)["uri"].startswith("at://did:plc:ada/")
    upload, record = sent(day, "bsky.social")
    pictures = {digest(open(os.path.join(folder, name), "rb").read())
                for folder, _, names in os.walk(f"{ROOT}/samples/photos") for name in names}
    assert digest(upload.body) in pictures, "another picture arrived than there is"
    assert upload.headers["authorization"] == f"Bearer {SECRET['bsky.social']}"
    image = json.loads(record.body)["record"]["embed"]["images"][0]["image"]
    assert image["size"] == len(upload.body) and image["$type"] == "blob"
    assert b"jpg" not in record.body, "a file's name was sent"
    day.secrets_are_nowhere(output)


def covid_alert(day):
    keys = [{"key": servers.base64.b64encode(bytes([number] * 16)).decode(), "rollingStartNumber": 2956608 + 144 * number,
             "rollingPeriod": 144} for number in range(20)]
    path = os.path.join(day.folder, "keys.json")
    with open(path, "w") as file:
        json.dump({"temporaryExposureKeys": keys}, file)
    day.source("exposure", path)
    day.allow("share-keys", "ca.covid-alert")
    day.allow("check-exposure", "ca.covid-alert")
    assert day.app("covid-alert", "share", "abc123") == "14 keys were shared; thank you\n"
    published = json.loads(sent(day)[0].body)
    assert published["temporaryExposureKeys"] == keys[:5:-1], "others than the last fourteen keys were shared"
    day.server.published = [bytes([200] * 16)]
    assert day.app("covid-alert", "check") == "no exposure is known\n"
    day.server.published.append(bytes([17] * 16))
    output = day.app("covid-alert", "check")
    assert output.startswith("you were exposed on 20"), output
    for request in sent(day)[1:]:
        assert request.line == "GET /v1/export.bin" and not request.body, "the server was told something"


def place(day):
    row = day.rows("SELECT latitude, longitude FROM Location ORDER BY timestamp DESC LIMIT 1")[0]
    return tuple(row.values()) if isinstance(row, dict) else tuple(row)


def duckduckgo(day):
    day.source("location", "samples/tracks")
    day.allow("nearby-results", "com.duckduckgo")
    output = day.app("duckduckgo", "cafes")
    assert json.loads(output) == [["Kaffebrenneriet"], ["Krok og Krinkel"]]
    latitude, longitude = place(day)
    request, = sent(day)
    told = float(request.query["latitude"][0]), float(request.query["longitude"][0])
    assert told != (latitude, longitude), "the place itself was told"
    assert servers.metres(*told, latitude, longitude) < 30_000
    assert set(request.query) == {"q", "latitude", "longitude"}
    assert str(latitude) not in output


def nextcloud(day):
    try:
        cloud = servers.Cloud(day.folder, "ada", SECRET["nextcloud"])
    except ImportError:
        sys.exit(77)
    day.source("photos", "samples/photos")
    day.allow("back-up-photos", "com.nextcloud")
    assert day.app("nextcloud", "3", status=17) == "", "a picture left for no server"
    day.run("endpoint", "set", "nextcloud", f"http://localhost:{cloud.port}/files/ada", "--address", "127.0.0.1")
    day.keep("nextcloud", "--kind", "basic", "--user", "ada")
    # The grant was given before the server was set: the person decides again, about this server.
    servers.next_second()
    day.run("grant", "revoke", json.loads(day.run("grant", "list", "--format", "json"))["grants"][0]["id"])
    day.run("grant", "allow", "--app", "com.nextcloud", "--plugin", "back-up-photos")
    output = day.app("nextcloud", "3")
    assert json.loads(output) == {"uploaded": 3, "there": 3}, output
    names = [row["filename"] if isinstance(row, dict) else row[0] for row in day.rows(
        "SELECT filename FROM Photos WHERE mimeType IN ('image/jpeg', 'image/png') ORDER BY creationDate DESC LIMIT 3")]
    there = os.listdir(f"{cloud.root}/ada/Escrow")
    assert sorted(there) == sorted(names), "others than the three newest pictures are there"
    for folder, _, files in os.walk(f"{ROOT}/samples/photos"):
        for name in set(files) & set(names):
            with open(f"{folder}/{name}", "rb") as ours, open(f"{cloud.root}/ada/Escrow/{name}", "rb") as theirs:
                assert ours.read() == theirs.read(), "a picture arrived as another"
    servers.next_second()
    day.run("endpoint", "set", "nextcloud", f"http://localhost:{cloud.port}/files/eve", "--address", "127.0.0.1")
    assert day.app("nextcloud", "3", status=17) == "", "what was allowed for one server went to another"
    day.run("credential", "revoke", "nextcloud")
    day.secrets_are_nowhere(output)


def signal(day):
    day.source("contacts", "samples/contacts.vcf")
    day.allow("find-contacts", "org.signal")
    phones = servers.us_numbers(day.rows("SELECT phoneNumber FROM Contacts WHERE phoneNumber IS NOT NULL LIMIT 200"))
    day.server.users = phones[::3] + ["+15005550001", "+15005550002"]
    output = day.app("signal")
    assert sorted(json.loads(output)) == sorted([phone] for phone in set(phones[::3])), "another intersection"
    request, = sent(day)
    points = json.loads(request.body)["points"]
    known = {servers.p256.pack(servers.p256.hashed(phone.encode())).hex() for phone in phones}
    assert len(points) == len(phones) and not known & set(points), "a point was sent that is not blinded"
    assert not any(phone[2:].encode() in request.raw for phone in phones), "a number was sent"
    day.app("signal")
    assert not set(points) & set(json.loads(sent(day)[1].body)["points"]), "two runs can be tied together"


def simplenote(day):
    day.source("contacts", "samples/contacts.vcf")
    day.own("mail")
    day.keep("mail")
    day.allow("send-note", "com.simplenote")
    note = os.path.join(day.folder, "note")
    with open(note, "w") as file:
        file.write("Tea at five?")
    mails = [row["emailAddress"] if isinstance(row, dict) else row[0] for row in day.rows(
        "SELECT emailAddress FROM Contacts WHERE emailAddress IS NOT NULL ORDER BY fullName")]
    output = day.app("simplenote", "a1", "An invitation", note, typed="2\n")
    assert json.loads(output) == {"done": True}
    request, = sent(day)
    calls = json.loads(request.body)["methodCalls"]
    assert calls[0][1]["create"]["note"]["to"] == [{"email": mails[1]}]
    others = set(mails) - {mails[1]}
    assert not any(mail.encode() in request.raw for mail in others), "another contact was sent"
    assert not any(mail in output + day.text for mail in mails), "the app or its terminal learned an address"
    assert day.app("simplenote", "a1", "An invitation", note, typed="q\n", status=10) == "" and len(sent(day)) == 1
    assert day.app("simplenote", "a1", "An invitation", note, status=11) == "", "somebody picked for the person"
    day.secrets_are_nowhere(output)


def vlc(day):
    folder = os.path.join(day.folder, "Documents")
    os.makedirs(f"{folder}/Films")
    for name, size in (("Films/holiday.mp4", 3 << 20), ("song.mp3", 1000), ("letter.txt", 10)):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(bytes(size))
    day.source("documents", folder)
    day.allow("media-list", "org.videolan.vlc")
    output = day.app("vlc")
    assert output == "     3 MiB  Films/holiday.mp4\n     1 MiB  song.mp3\n", output
    assert not sent(day) and "letter" not in output


def wikipedia(day):
    day.source("location", "samples/tracks")
    day.allow("nearby-articles", "org.wikipedia")
    output = day.app("wikipedia")
    assert ["Bryggen", 1100001, 612] in json.loads(output)
    latitude, longitude = place(day)
    for request in sent(day):
        assert request.query["gscoord"] != [f"{latitude}|{longitude}"], "the place itself was told"
    assert str(latitude) not in output and str(longitude) not in output


def wordpress(day):
    day.source("photos", "samples/photos")
    day.source("location", "samples/tracks")
    day.own("wordpress")
    day.keep("wordpress", "--kind", "basic", "--user", "ada")
    day.allow("write-post", "org.wordpress")
    output = day.app("wordpress", "A walk", "It rained.", typed="1\n")
    assert json.loads(output) == {"id": 7}
    media, post = sent(day)
    assert b'name="title"\r\n\r\nA walk\r\n' in media.body and media.headers["content-type"].startswith("multipart/form-data")
    parsed = json.loads(post.body)
    assert parsed["featured_media"] == 41 and parsed["title"] == "A walk"
    latitude, longitude = place(day)
    told = float(parsed["meta"]["geo_latitude"]), float(parsed["meta"]["geo_longitude"])
    assert told != (latitude, longitude) and servers.metres(*told, latitude, longitude) < 30_000
    day.secrets_are_nowhere(output)


def home_assistant(day):
    day.source("location", "samples/tracks")
    day.own("home")
    day.keep("home")
    day.allow("report-place", "io.home-assistant")
    output = day.app("home-assistant", "cafe01")
    assert json.loads(output) == {"done": True}
    request, = sent(day)
    latitude, longitude = place(day)
    told = json.loads(request.body)
    assert request.line == "POST /api/webhook/cafe01" and told["type"] == "update_location"
    assert servers.metres(*told["data"]["gps"], latitude, longitude) < 1, "the home was told another place"
    day.run("location", "rule", "add", "--app", "io.home-assistant", "--tell", "none")
    assert day.app("home-assistant", "cafe01", status=17) == "" and len(sent(day)) == 1
    day.secrets_are_nowhere(output)


APPS = {"bluesky": bluesky, "covid-alert": covid_alert, "duckduckgo": duckduckgo, "nextcloud": nextcloud, "signal": signal,
        "simplenote": simplenote, "vlc": vlc, "wikipedia": wikipedia, "wordpress": wordpress, "home-assistant": home_assistant}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("escrow", "packages", "folder"):
        parser.add_argument(word, type=os.path.abspath)
    parser.add_argument("--only", choices=APPS)
    words = parser.parse_args()
    root = words.folder
    for name, check in APPS.items():
        if words.only in (None, name):
            if words.only is None:
                words.folder = os.path.join(root, name)
                os.makedirs(words.folder)
            day = Day(words)
            check(day)
            print(f"ok {name}")
            if words.only is None:
                print(day.run("egress", "list"))


status = 1
try:
    main()
    status = 0
except SystemExit as end:
    status = end.code
except BaseException:
    traceback.print_exc()
sys.stdout.flush()
# wsgidav's threads do not end by themselves.
os._exit(status)
