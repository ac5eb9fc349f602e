"""Nextcloud: pictures and films kept on a server of one's own, and a map."""

import json
import math
import os
import shutil
import struct
import sys
import time

import own_servers
import servers

from .home import ROOT, SECRET, place, sent


def check(day):
    try:
        cloud = own_servers.Cloud(day.folder, "ada", SECRET["nextcloud"])
    except ImportError:
        sys.exit(77)
    photos = os.path.join(day.folder, "Photos")
    shutil.copytree(f"{ROOT}/samples/photos", photos)
    day.source("photos", photos)
    day.allow("back-up-photos", "com.nextcloud")
    assert day.app("nextcloud", "3", status=16) == "", "a picture left for no server"
    day.run("endpoint", "set", "nextcloud", f"http://localhost:{cloud.port}/remote.php/dav", "--address", "127.0.0.1")
    day.keep("nextcloud", "--kind", "basic", "--user", "ada")
    # The grant was given before the server was set: the person decides again, about this server.
    servers.next_second()
    day.run("grant", "revoke", json.loads(day.run("grant", "list", "--format", "json"))["grants"][0]["id"])
    day.run("grant", "allow", "--app", "com.nextcloud", "--plugin", "back-up-photos")
    output = day.app("nextcloud", "3")
    assert json.loads(output) == {"uploaded": 3, "there": 3}, output
    names = [row["filename"] if isinstance(row, dict) else row[0] for row in day.rows(
        "SELECT filename FROM Photos WHERE mimeType IN ('image/jpeg', 'image/png') ORDER BY creationDate DESC, filename LIMIT 3")]
    there = os.listdir(f"{cloud.root}/files/ada/Escrow")
    assert sorted(there) == sorted(names), "others than the three newest pictures are there"
    for folder, _, files in os.walk(f"{ROOT}/samples/photos"):
        for name in set(files) & set(names):
            with open(f"{folder}/{name}", "rb") as ours, open(f"{cloud.root}/files/ada/Escrow/{name}", "rb") as theirs:
                assert ours.read() == theirs.read(), "a picture arrived as another"
    assert json.loads(day.app("nextcloud", "3")) == {"uploaded": 0, "there": 3}, "what is there was sent again"
    film = film_of_today(12 << 20)
    with open(f"{photos}/film.mp4", "wb") as file:
        file.write(film)
    cloud.cut = 8 << 20
    assert day.app("nextcloud", "1", status=16) == "", "a cut was no matter"
    cloud.cut = None
    before = len(cloud.parts)
    assert json.loads(day.app("nextcloud", "1")) == {"uploaded": 1, "there": 4}
    assert cloud.parts[before:] == ["00002", "00003"], f"other parts were sent than were missing: {cloud.parts}"
    with open(f"{cloud.root}/files/ada/Escrow/film.mp4", "rb") as file:
        assert file.read() == film, "the film arrived as another"
    nextcloud_map(day)
    shutil.rmtree(f"{cloud.root}/files/ada/Escrow")
    direct = json.loads(day.direct("nextcloud", f"http://localhost:{cloud.port}/remote.php/dav", "ada", "4", files={"photos": photos},
                                   secret={".nextcloud-password": SECRET["nextcloud"]}))
    assert direct == {"uploaded": 4, "there": 4}, direct
    day.direct("nextcloud", "map", "map.png")
    servers.next_second()
    day.run("endpoint", "set", "nextcloud", f"http://localhost:{cloud.port}/remote.php/eve", "--address", "127.0.0.1")
    assert day.app("nextcloud", "3", status=16) == "", "what was allowed for one server went to another"
    day.run("credential", "revoke", "nextcloud")
    day.secrets_are_nowhere(output)


def film_of_today(size):
    """An MP4 file (ISO/IEC 14496-12) that says when it was made, so that it is the newest; what is in it cannot be seen."""
    made = int(time.time()) + 2_082_844_800  # counted from 1904
    header = struct.pack(">IIIII", 0, made, made, 1000, 1000).ljust(100, b"\0")
    movie = box(b"moov", box(b"mvhd", header))
    return box(b"ftyp", b"isom\0\0\2\0isomiso2") + movie + box(b"mdat", os.urandom(size))


def box(kind, content):
    return struct.pack(">I", len(content) + 8) + kind + content


def nextcloud_map(day):
    day.source("location", "samples/tracks")
    day.allow("show-map", "com.nextcloud")
    picture = os.path.join(day.home_of("nextcloud"), "map.png")
    day.app("nextcloud", "map", day.inside("nextcloud", "map.png"))
    latitude, longitude = place(day)
    size = 256 << 12
    across = (longitude + 180) / 360 * size
    down = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * size
    left, top = round(across) - 256, round(down) - 192
    needed = {f"GET /12/{x}/{y}.png" for x in range(left // 256, (left + 511) // 256 + 1)
              for y in range(top // 256, (top + 383) // 256 + 1)}
    asked = [request.line for request in sent(day, "tile.openstreetmap.org")]
    assert set(asked) == needed and len(asked) == len(needed), "other tiles than the view needs were asked for"
    with open(picture, "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:]) == (512, 384)
