"""Sample data for benchmarks, the same for the same size on every machine."""

import os
import random
import struct
import time

SEED = 20260301


def contacts(path, count, mails=False):
    """One vCard file; each card has a given name, a family name and a telephone number of its own, as in the papers; every other
    one an e-mail address, where those are asked for."""
    pick = random.Random(SEED)
    with open(path, "w", newline="\r\n") as out:
        for index in range(count):
            number = f"({pick.randrange(200, 999)}) 555-{pick.randrange(10000):04}"
            out.write(f"BEGIN:VCARD\nVERSION:3.0\nN:Last{index};First{index};;;\nFN:First{index} Last{index}\nUID:u{index}\n"
                      f"BDAY:{pick.randrange(1930, 2010)}-05-17\nTEL;TYPE=CELL:{number}\n"
                      + (f"EMAIL:first{index}@example.org\n" if mails and index % 2 else "") + "END:VCARD\n")


def track(path, count):
    """One GPX file with a point a minute, as a logger writes it: time, elevation, and the accuracy as `hdop`."""
    pick = random.Random(SEED)
    latitude, longitude = 60.38, 5.33
    with open(path, "w") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Example" '
                  'xmlns="http://www.topografix.com/GPX/1/1">\n<trk><name>Walk</name><trkseg>\n')
        for index in range(count):
            latitude += pick.randrange(-4000, 4001) / 1e7
            longitude += pick.randrange(-8000, 8001) / 1e7
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_577_836_800 + index * 60))
            out.write(f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><ele>{pick.randrange(500)}</ele>'
                      f"<time>{moment}</time><hdop>1.9</hdop></trkpt>\n")
        out.write("</trkseg></trk>\n</gpx>\n")


def photos(folder, count):
    """Pictures of 16 KB (4 KB on disk, then a hole) in folders of a thousand, and one more in a folder of its own, `Solo`: the
    papers' album with one photo inside. The latest is in the last folder."""
    for index in range(count - 1):
        album = os.path.join(folder, f"album{index // 1000:04}")
        if index % 1000 == 0:
            os.makedirs(album)
        photo(os.path.join(album, f"IMG_{index:06}.jpg"), index)
    os.makedirs(os.path.join(folder, "Solo"))
    photo(os.path.join(folder, "Solo", "IMG_solo.jpg"), 5)


def photo(path, index):
    """A JPEG header as a camera writes it: EXIF with time, place and model, then the frame; the picture itself is a hole."""
    with open(path, "wb") as out:
        out.write(jpeg_header(taken(index), 60 + index % 1000 / 1000, 5 + index % 777 / 1000))
        out.truncate(16 << 10)


def taken(index):
    """When a photo was taken, as EXIF spells it."""
    return (f"{2010 + index // 60_000}:{index // 2500 % 12 + 1:02}:{index // 90 % 28 + 1:02} "
            f"{index // 3600 % 24:02}:{index // 60 % 60:02}:{index % 60:02}")


def develop(folder, count, newest, picture):
    """Gives the newest photos, and all as new, a picture that can be decoded: the JPEG at `picture`, without its own notes."""
    with open(picture, "rb") as file:
        rest = file.read()[2:]
    while rest[1] in range(0xE0, 0xF0):
        rest = rest[2 + int.from_bytes(rest[2:4], "big"):]
    order = sorted(range(count - 1), key=taken, reverse=True)
    for index in [each for each in order if taken(each) >= taken(order[min(newest, count - 1) - 1])]:
        path = os.path.join(folder, f"album{index // 1000:04}", f"IMG_{index:06}.jpg")
        with open(path, "r+b") as file:
            head = file.read(6)
            head += file.read(int.from_bytes(head[4:6], "big") - 2)
            file.seek(0)
            file.truncate()
            file.write(head + rest)
            file.truncate(max(16 << 10, file.tell()))


def jpeg_header(taken, latitude, longitude):
    """SOI, APP1 with a TIFF of three directories, SOF0, SOS (CIPA DC-008 4.5, 4.6; ITU T.81 B.2)."""
    data = bytearray()
    makes = {0x010F: b"Example\0", 0x0110: b"Camera 1\0"}

    def degrees(value):
        whole, minutes = divmod(value * 60, 60)
        return struct.pack("<6I", int(whole), 1, int(minutes), 1, round(minutes % 1 * 60_000), 1000)

    def directory(at, entries, following=0):
        """Entries (tag, type, count, bytes), values that do not fit behind them."""
        head, tail = struct.pack("<H", len(entries)), b""
        behind = at + 2 + 12 * len(entries) + 4
        for tag, kind, count, value in entries:
            if len(value) <= 4:
                field = value.ljust(4, b"\0")
            else:
                field = struct.pack("<I", behind + len(tail))
                tail += value + b"\0" * (len(value) % 2)
            head += struct.pack("<HHI", tag, kind, count) + field
        return head + struct.pack("<I", following) + tail

    def text(tag, value):
        return tag, 2, len(value), value

    exif = [text(0x9003, taken.encode() + b"\0"), text(0x9011, b"+00:00\0")]
    gps = [text(1, b"N\0"), (2, 5, 3, degrees(latitude)), text(3, b"E\0"), (4, 5, 3, degrees(longitude))]

    def first(exif_at, gps_at):
        return directory(8, [*(text(tag, value) for tag, value in makes.items()), (0x0112, 3, 1, b"\1\0"),
                             (0x8769, 4, 1, struct.pack("<I", exif_at)), (0x8825, 4, 1, struct.pack("<I", gps_at))])
    exif_at = 8 + len(first(0, 0))
    gps_at = exif_at + len(directory(exif_at, exif))
    data += b"II*\0" + struct.pack("<I", 8) + first(exif_at, gps_at) + directory(exif_at, exif) + directory(gps_at, gps)
    segment = b"Exif\0\0" + bytes(data)
    frame = struct.pack(">BHHB", 8, 3000, 4000, 3) + b"\1\x22\0\2\x11\1\3\x11\1"
    return (b"\xff\xd8\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment
            + b"\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame
            + b"\xff\xda\0\x0c\3\1\0\2\x11\3\x11\0\x3f\0")
