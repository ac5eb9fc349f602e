#!/usr/bin/env python3
"""Makes the sample data in this folder: invented people, places and pictures.

Phone numbers are the fictional 555-01xx ones, mail addresses end in example.org. The result is the same on every run.
Needs Pillow, piexif and heif-enc (libheif-examples).  Usage: python3 samples/make-samples.py
"""
import datetime, io, json, math, os, random, shutil, subprocess, tempfile
import piexif
from PIL import Image, ImageDraw, PngImagePlugin

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20260301)

GIVEN = ["Amara", "Björn", "Chloé", "Dmitri", "Esi", "Farid", "Greta", "Hiro", "Inés", "Jonas", "Keiko", "Lars", "Mina",
         "Noor", "Olga", "Pablo", "Quinn", "Rosa", "Sven", "Tala", "Uma", "Viktor", "Wanda", "Xavi", "Yara", "Zoltán"]
FAMILY = ["Abara", "Brandt", "Côté", "Dvořák", "Ekwall", "Farouk", "Grønn", "Hara", "Ibáñez", "Jansen", "Kovač", "Lund",
          "Müller", "Nakata", "Olsen", "Peña", "Quist", "Rossi", "Santos", "Tamm"]
CITIES = [("Springfield", "IL", "62701", "USA"), ("Portland", "OR", "97201", "USA"), ("Bergen", "", "5003", "Norway"),
          ("Torino", "TO", "10121", "Italy")]


def fold(line, limit=75):
    """Folds a content line at 75 octets, never within a character (RFC 6350, 3.2)."""
    out, piece = [], b""
    for char in line:
        octets = char.encode()
        if len(piece) + len(octets) > limit:
            out.append(piece)
            piece = b" "
        piece += octets
    return b"\r\n".join(out + [piece]) + b"\r\n"


def qp(text, charset):
    return "".join(f"={b:02X}" if b > 126 or b in b"=\r\n" else chr(b) for b in text.encode(charset))


def phone(index):
    """Mostly valid US numbers in several spellings, some from elsewhere, some too short."""
    last = f"555-01{index % 100:02d}"
    area = ["202", "312", "415", "617"][index % 4]
    return [f"+1 {area} {last}", f"({area}) {last}", f"{area}-{last}", f"+1{area}{last.replace('-', '')}",
            f"+47 21 55 01 {index % 100:02d}", f"1-{area}-{last}", "01" + str(index % 100)][index % 7]


def contacts():
    out = b""
    for i in range(40):
        given, family = GIVEN[(i * 7) % len(GIVEN)], FAMILY[(i * 3 + i // 20) % len(FAMILY)]
        mail = f"contact{i}@example.org"
        city, state, code, country = CITIES[i % 4]
        birthday = f"{1950 + (i * 11) % 60}-{i % 12 + 1:02d}-{(i * 5) % 28 + 1:02d}"
        kind = ["4.0", "3.0", "2.1"][i % 3]
        lines = ["BEGIN:VCARD", f"VERSION:{kind}"]
        if kind == "2.1":
            charset = "UTF-8" if i % 2 else "ISO-8859-1"
            try:
                family.encode(charset), given.encode(charset)
            except UnicodeEncodeError:
                charset = "UTF-8"
            params = f";CHARSET={charset};ENCODING=QUOTED-PRINTABLE"
            lines += [f"N{params}:{qp(family, charset)};{qp(given, charset)};;;",
                      f"FN{params}:{qp(given + ' ' + family, charset)}",
                      f"TEL;HOME;VOICE:{phone(i)}", f"TEL;CELL;PREF:{phone(i + 40)}",
                      f"EMAIL;INTERNET:{mail}", f"BDAY:{birthday.replace('-', '')}"]
            if i % 5 == 2:
                lines += ["NOTE;ENCODING=QUOTED-PRINTABLE:Met at the lake house; likes long walks=", " and=20short letters."]
        elif kind == "3.0":
            lines += [f"N:{family};{given};;;", f"FN:{given} {family}", f"UID:sample-{i:03d}",
                      f"TEL;TYPE=CELL:{phone(i)}", f"item1.TEL:{phone(i + 40)}", "item1.X-ABLabel:_$!<HomePage>!$_",
                      f"EMAIL;TYPE=INTERNET,HOME:{mail}", f"EMAIL;TYPE=INTERNET,WORK,PREF:work{i}@example.org",
                      f"ADR;TYPE=HOME:;;{i + 1} Elm Street;{city};{state};{code};{country}",
                      f"ORG:Sample Works\\, Inc.;Office {i % 4}", "TITLE:Clerk", f"BDAY:{birthday}",
                      f"REV:2026-02-{i % 28 + 1:02d}T08:00:00Z"]
            if i % 4 == 1:
                noise = "".join(rng.choice("ABCDEFGHabcdefgh01234567+/") for _ in range(600))
                lines += ["PHOTO;ENCODING=b;TYPE=JPEG:" + noise]
        else:
            lines += [f"N:{family};{given};{'Lee' if i % 2 else ''};;", f"FN:{given} {family}",
                      f"UID:urn:uuid:00000000-0000-4000-8000-{i:012d}",
                      f"TEL;VALUE=uri;PREF=2;TYPE=home:tel:{phone(i).replace(' ', '-')}",
                      f"TEL;PREF=1;TYPE=\"cell,work\":{phone(i + 40)}", f"EMAIL:{mail}",
                      "BDAY:--0412" if i % 9 == 0 else f"BDAY:{birthday.replace('-', '')}",
                      "NOTE:A long note that does not fit in one line of seventy-five octets\\, so it is folded; "
                      f"grüße nach {city}.", "NICKNAME:" + given[:3]]
        lines.append("END:VCARD")
        out += b"".join(fold(line) if kind != "2.1" else (line + "\r\n").encode() for line in lines)
    organization = ["BEGIN:VCARD", "VERSION:4.0", "KIND:org", "UID:urn:uuid:00000000-0000-4000-8000-0000000000aa",
                    "FN:Lakeside Library", "ORG:Lakeside Library", "TEL:+1 617 555 0199", "END:VCARD"]
    out += b"".join(fold(line) for line in organization)
    with open(os.path.join(HERE, "contacts.vcf"), "wb") as file:
        file.write(out)


def picture(seed, width, height):
    draw_rng = random.Random(seed)
    image = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(image)
    top, low = [tuple(draw_rng.randrange(256) for _ in range(3)) for _ in range(2)]
    for y in range(height):
        t = y / height
        draw.line([(0, y), (width, y)], tuple(int(a + (b - a) * t) for a, b in zip(top, low)))
    for _ in range(6):
        x, y, r = draw_rng.randrange(width), draw_rng.randrange(height), draw_rng.randrange(10, height // 3)
        draw.ellipse([x - r, y - r, x + r, y + r], tuple(draw_rng.randrange(256) for _ in range(3)))
    return image


def rationals(degrees):
    degrees = abs(degrees)
    d, m = int(degrees), int(degrees * 60) % 60
    return ((d, 1), (m, 1), (round((degrees * 3600 - d * 3600 - m * 60) * 10000), 10000))


def exif(when, offset=None, place=None, orientation=None, model="Pinhole 3"):
    zeroth = {piexif.ImageIFD.Make: "Lakeside", piexif.ImageIFD.Model: model}
    if orientation:
        zeroth[piexif.ImageIFD.Orientation] = orientation
    photo = {piexif.ExifIFD.DateTimeOriginal: when, piexif.ExifIFD.SubSecTimeOriginal: "250"}
    if offset:
        photo[piexif.ExifIFD.OffsetTimeOriginal] = offset
    gps = {}
    if place:
        lat, lon, alt = place
        gps = {piexif.GPSIFD.GPSLatitudeRef: "N" if lat >= 0 else "S", piexif.GPSIFD.GPSLatitude: rationals(lat),
               piexif.GPSIFD.GPSLongitudeRef: "E" if lon >= 0 else "W", piexif.GPSIFD.GPSLongitude: rationals(lon),
               piexif.GPSIFD.GPSAltitudeRef: 0 if alt >= 0 else 1, piexif.GPSIFD.GPSAltitude: (abs(int(alt * 10)), 10)}
    return piexif.dump({"0th": zeroth, "Exif": photo, "GPS": gps, "1st": {}, "thumbnail": None})


def photos():
    base = os.path.join(HERE, "photos")
    shutil.rmtree(base, ignore_errors=True)
    for folder in ("", "Bergen 2026", "Garden"):
        os.makedirs(os.path.join(base, folder), exist_ok=True)
    jpegs = [
        ("IMG_0001.jpg", "2026:02:27 09:15:00", "+01:00", (45.0703, 7.6869, 240.0), None, (480, 360)),
        ("IMG_0002.jpg", "2026:02:27 18:40:12", None, None, None, (480, 360)),
        ("Bergen 2026/IMG_0101.jpg", "2026:03:01 10:00:00", "+01:00", (60.3943, 5.3259, 12.5), None, (480, 360)),
        ("Bergen 2026/IMG_0102.jpg", "2026:03:01 11:30:05", "+01:00", (60.3971, 5.3245, 25.0), 6, (480, 360)),
        ("Bergen 2026/IMG_0103.jpg", "2026:03:02 08:05:59", "+01:00", (60.3890, 5.3320, 8.0), None, (640, 400)),
        ("Garden/DSC_0007.JPG", "2025:07:14 20:21:22", "-06:00", (-33.8568, 151.2153, -3.0), 8, (400, 400)),
        ("Garden/DSC_0008.JPG", "2025:07:15 07:00:00", "-06:00", None, None, (400, 300)),
    ]
    for index, (name, when, offset, place, orientation, size) in enumerate(jpegs):
        picture(index, *size).save(os.path.join(base, name), quality=80, exif=exif(when, offset, place, orientation))
    picture(50, 320, 240).save(os.path.join(base, "scan.jpg"), quality=75)
    # PNG: one with EXIF, one with a text chunk, one with neither.
    picture(60, 160, 120).save(os.path.join(base, "Garden/plan.png"),
                               exif=exif("2025:06:01 12:00:00", "+00:00", (51.4779, -0.0015, 46.0))[6:])
    info = PngImagePlugin.PngInfo()
    info.add_text("Creation Time", "2026-01-05T16:00:00+01:00")
    picture(61, 160, 120).save(os.path.join(base, "screenshot.png"), pnginfo=info)
    with tempfile.TemporaryDirectory() as folder:
        for index, name in enumerate(["Bergen 2026/IMG_0201", "IMG_0202"]):
            source = os.path.join(folder, "a.jpg")
            place = (60.3930 + index / 100, 5.3242, 30.0)
            picture(70 + index, 512, 384).save(source, quality=90, exif=exif("2026:03:03 15:45:30", "+01:00", place))
            subprocess.run(["heif-enc", "-q", "40", "-o", os.path.join(base, name + ".heic"), source],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def walk(start, day, hours, step):
    """A random walk: a fix every `step` seconds at walking pace."""
    lat, lon = start
    heading = rng.uniform(0, 2 * math.pi)
    when = day
    while when < day + datetime.timedelta(hours=hours):
        speed = rng.uniform(0.9, 1.7)
        heading += rng.gauss(0, 0.25)
        lat += speed * step * math.cos(heading) / 111_320
        lon += speed * step * math.sin(heading) / (111_320 * math.cos(math.radians(lat)))
        yield when, lat, lon, speed, math.degrees(heading) % 360
        when += datetime.timedelta(seconds=step)


def tracks():
    base = os.path.join(HERE, "tracks")
    os.makedirs(base, exist_ok=True)
    out = ['<?xml version="1.0" encoding="UTF-8"?>',
           '<gpx version="1.1" creator="make-samples.py" xmlns="http://www.topografix.com/GPX/1/1"'
           ' xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">',
           '  <wpt lat="60.394300" lon="5.325900"><ele>12.5</ele><name>Fish market</name></wpt>']
    for day in range(4):
        begin = datetime.datetime(2026, 3, 1 + day, 8 + day, 0, 0)
        out += [f"  <trk><name>Walk {day + 1}</name><trkseg>"]
        for when, lat, lon, speed, course in walk((60.39 + day * 0.004, 5.32), begin, 1.2, 30):
            out.append(f'    <trkpt lat="{lat:.6f}" lon="{lon:.6f}"><ele>{20 + rng.uniform(-3, 3):.1f}</ele>'
                       f"<time>{when:%Y-%m-%dT%H:%M:%SZ}</time><extensions><gpxtpx:TrackPointExtension>"
                       f"<gpxtpx:speed>{speed:.2f}</gpxtpx:speed><gpxtpx:course>{course:.1f}</gpxtpx:course>"
                       "</gpxtpx:TrackPointExtension></extensions></trkpt>")
        out.append("  </trkseg></trk>")
    out.append("</gpx>")
    with open(os.path.join(base, "walk.gpx"), "w") as file:
        file.write("\n".join(out) + "\n")
    locations = []
    for day in range(3):
        begin = datetime.datetime(2026, 3, 6 + day, 17, 0, 0)
        for when, lat, lon, speed, course in walk((60.38, 5.34), begin, 1, 60):
            record = {"latitudeE7": round(lat * 1e7), "longitudeE7": round(lon * 1e7), "accuracy": rng.randrange(4, 40),
                      "altitude": 18, "source": "GPS"}
            if day == 0:
                record["timestampMs"] = str(int((when - datetime.datetime(1970, 1, 1)).total_seconds() * 1000))
            else:
                record |= {"timestamp": f"{when:%Y-%m-%dT%H:%M:%S}.123Z", "velocity": round(speed), "heading": int(course),
                           "activity": [{"activity": [{"type": "WALKING", "confidence": 90}]}]}
            locations.append(record)
    with open(os.path.join(base, "Records.json"), "w") as file:
        json.dump({"locations": locations}, file, indent=1)
        file.write("\n")


contacts()
photos()
tracks()
