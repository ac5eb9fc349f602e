#!/usr/bin/env python3
"""What others read in files, for the tests to compare with.

oracle.py KIND LIST: a line of JSON for each file that LIST names on a line of its own:
  {"file": PATH, "values": ["KEY|VALUE", ...], "unsure": [KEY, ...]}
White space in values is one space each. What the oracle finds fault with itself is unsure, and not compared. A file that it cannot
read has no line. The first line is {"oracle": "NAME VERSION"}; no line at all means that the oracle is missing.
"""
import contextlib, datetime, importlib.util, io, json, os, re, resource, sqlite3, subprocess, sys


def joined(value):
    return ",".join(map(joined, value)) if isinstance(value, (list, tuple)) else str(value)


def contacts():
    import vobject
    from importlib.metadata import version
    yield "vobject " + version("vobject")

    def text(path):
        if not path.endswith(".db"):
            return open(path, encoding="utf-8").read()
        rows = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT vcard FROM folder_id")
        return "\n".join(row[0].replace("\r\n", "\n") for row in rows if row[0])

    def birthday(value):
        found = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)([T ].*)?", value)
        yearless = re.fullmatch(r"--(\d\d)-?(\d\d)", value)
        return "-".join(found.groups()[:3]) if found else "--" + "-".join(yearless.groups()) if yearless else value

    def read(path):
        for card in vobject.readComponents(text(path)):
            def all_of(name):
                return [item.value for item in card.contents.get(name, [])]
            n = card.n.value if hasattr(card, "n") else None
            yield "n", f"{joined(n.family) if n else ''}|{joined(n.given) if n else ''}"
            for key, name in [("fn", "fn"), ("nickname", "nickname"), ("title", "title"), ("note", "note")]:
                for value in all_of(name)[:1]:
                    yield key, joined(value)
            for value in all_of("bday")[:1]:
                yield "bday", birthday(value)
            for value in all_of("org")[:1]:
                yield "org", value[0]
                yield "department", "".join(value[1:2])
            for value in all_of("tel"):
                yield "tel", value.removeprefix("tel:")
            for value in all_of("email"):
                yield "email", value
            for value in all_of("adr"):
                parts = [value.box, value.extended, value.street, value.city, value.region, value.code, value.country]
                if any(parts):
                    yield "adr", "|".join(map(joined, parts))
            for value in all_of("categories"):
                for item in value:
                    yield "category", item
    yield read


def calendar():
    import icalendar, recurring_ical_events
    from importlib.metadata import version
    yield "recurring-ical-events " + version("recurring-ical-events")
    # Some rules never come to an end here: a file that takes more memory than this is one that it cannot read.
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    def moment(value):
        if not isinstance(value, datetime.datetime):
            value = datetime.datetime(value.year, value.month, value.day)
        if value.tzinfo is None:
            value = value.replace(tzinfo=datetime.timezone.utc)
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")

    def read(path):
        # It remembers the zones that one file defines, and would read the next one by them.
        icalendar.use_zoneinfo()
        for found in icalendar.Calendar.from_ical(open(path, "rb").read(), multiple=True):
            if found.name != "VCALENDAR":
                raise ValueError()
            for event in recurring_ical_events.of(found).between((1995, 1, 1), (2027, 1, 1)):
                if moment(event.start) >= "1995":
                    yield "event", f"{event.get('UID')}|{moment(event.start)}|{moment(event.end)}"
                    yield "title", event.get("SUMMARY", "")
            for todo in found.walk("VTODO"):
                if "RRULE" not in todo:
                    yield "reminder", todo.get("SUMMARY", "")
    yield read


def location():
    import gpxpy
    from importlib.metadata import version
    yield "gpxpy " + version("gpxpy")

    def show(point):
        time = point.time
        if time is not None:
            if time.tzinfo is None:
                time = time.replace(tzinfo=datetime.timezone.utc)
            time = time.astimezone(datetime.timezone.utc)
            time = time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"
        height = "" if point.elevation is None else repr(float(point.elevation) + 0.0)
        return f"{float(point.latitude) + 0.0}|{float(point.longitude) + 0.0}|{height}|{time or ''}"

    def read(path):
        gpx = gpxpy.parse(open(path, "rb"))
        for point in gpx.waypoints:
            yield "waypoint", show(point)
        for route in gpx.routes:
            for point in route.points:
                yield "route", show(point)
        for track in gpx.tracks:
            for segment in track.segments:
                for point in segment.points:
                    yield "track", show(point)
    yield read


def mail():
    yield "Python's email " + sys.version.split()[0]
    place = os.path.join(os.path.dirname(__file__), "../mail/oracle.py")
    spec = importlib.util.spec_from_file_location("mail_oracle", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def read(path):
        raw = open(path, "rb").read()
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            module.tell("", raw, len(raw), "-")
        for line in told.getvalue().split("\n"):
            parts = line.split("\t")
            if parts[0] == "mail":
                keys = ["id", "date", "subject", "fromName", "from", "size"]
                found = list(zip(keys, [[value] for value in parts[2:]]))
            elif parts[0] == "rcpt":
                found = [(parts[2], [value if value != "-" else "" for value in parts[3:]])]
            else:
                continue
            for key, values in found:
                # What Python cannot tell without a fault, what is not UTF-8, pieces of encoded words and lone brackets.
                if any(v == "?" or any(odd in v for odd in ["\ufffd", "=?", "?=", "<", ">"]) for v in values):
                    yield key, None
                elif values != ["-"]:
                    # Before 3.13 Python left the space between two encoded words of a name, which is no part of it.
                    if key in ("fromName", "to", "cc", "bcc"):
                        values[0] = values[0].replace(" ", "")
                    yield key, "|".join(values)
    yield read


def photos():
    yield "exiftool " + subprocess.run(["exiftool", "-ver"], capture_output=True, text=True, check=True).stdout.strip()
    pairs = [
        ("latitude", ["Composite:GPSLatitude", "XMP-exif:GPSLatitude"]),
        ("longitude", ["Composite:GPSLongitude", "XMP-exif:GPSLongitude"]), ("altitude", ["Composite:GPSAltitude"]),
        ("cameraMake", ["IFD0:Make", "XMP-tiff:Make"]), ("cameraModel", ["IFD0:Model", "XMP-tiff:Model"]),
        ("orientation", ["IFD0:Orientation"]), ("duration", ["QuickTime:Duration"]),
        ("title", ["XMP-dc:Title", "1IPTC:ObjectName"]),
        ("description", ["XMP-dc:Description", "1IPTC:Caption-Abstract", "IFD0:ImageDescription"]),
        ("keywords", ["XMP-dc:Subject", "1IPTC:Keywords"]), ("rating", ["XMP-xmp:Rating"]),
    ]
    # When a picture was taken, as our documentation orders it: the tag, its offset from UTC, its fraction of a second.
    moments = [
        ("ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal", "ExifIFD:SubSecTimeOriginal"),
        ("ExifIFD:CreateDate", "ExifIFD:OffsetTimeDigitized", "ExifIFD:SubSecTimeDigitized"),
        ("XMP-exif:DateTimeOriginal", "", ""), ("XMP-photoshop:DateCreated", "", ""), ("XMP-xmp:CreateDate", "", ""),
        ("IFD0:ModifyDate", "ExifIFD:OffsetTime", "ExifIFD:SubSecTime"), ("QuickTime:CreateDate", "", ""),
        ("PNG:CreationTime", "", ""),
    ]
    tags = sorted({tag for _, some in pairs for tag in some} | {tag for some in moments for tag in some if tag}
                  | {"ImageWidth", "ImageHeight"})

    def moment(told):
        for tag, offset, fraction in moments:
            found = re.fullmatch(r"(\d{4}).(\d\d).(\d\d).(\d\d).(\d\d).(\d\d)(\.\d+)?([+-]\d\d:\d\d|Z)?", told.get(tag, ""))
            if not found:
                continue
            zone = found[8] or told.get(offset) or ("Z" if tag.startswith("QuickTime") else "+01:00")
            part = found[7] or "." + told.get(fraction, "0").strip()
            try:
                time = datetime.datetime.strptime("".join(found.groups()[:6]) + part[:7] + zone, "%Y%m%d%H%M%S.%f%z")
            except ValueError:
                continue
            yield "creationDate", time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            return

    # One process reads all files: to start it takes longer than to read most of them.
    def told_of_all(*options):
        return subprocess.run(["exiftool", "-q", "-q", "-n", *options, "-sep", "; ", "-@", sys.argv[2]],
                              capture_output=True, text=True, errors="replace").stdout

    place = ["Directory", "FileName"]
    lines = [line.split("\t") for line in told_of_all("-T", *["-" + tag for tag in place + tags]).split("\n")]
    every = {"/".join(line[:2]): line[2:] for line in lines if len(line) == len(place + tags)}
    # A table has a dot for each line end; what people wrote has some.
    words = [tag for key, some in pairs if key in ("title", "description", "keywords") for tag in some]
    written = {one["SourceFile"]: one for one in json.loads(
        told_of_all("-j", "-G1", *["-" + tag for tag in words]) or "[]", parse_int=str, parse_float=str)}

    def read(path):
        values = every[path]
        # A tag that is not there is told as `-`; one that cannot be converted, such as degrees of 0/0, as nothing.
        told = {tag: value for tag, value in zip(tags, values) if value not in ("-", "", "undef")}
        for tag in words:
            value = written.get(path, {}).get(tag.removeprefix("1"))
            if tag in told and isinstance(value, str):
                told[tag] = value
        width, height = told.get("ImageWidth"), told.get("ImageHeight")
        if int(told.get("IFD0:Orientation", 1)) >= 5:
            width, height = height, width
        for key, value in [("pixelWidth", width), ("pixelHeight", height)]:
            if value and value != "0":
                yield key, value
        yield from moment(told)
        for key, some in pairs:
            for tag in some:
                if tag in told:
                    yield key, told[tag]
                    break
    yield read


def music():
    import mutagen
    yield "mutagen " + mutagen.version_string
    keys = {"TIT2": "title", "TPE1": "artist", "TALB": "album", "TPE2": "albumartist", "TCOM": "composer", "TCON": "genre",
            "TRCK": "tracknumber", "Title": "title", "Author": "artist", "WM/AlbumTitle": "album",
            "WM/AlbumArtist": "albumartist", "WM/Composer": "composer", "WM/Genre": "genre", "WM/TrackNumber": "tracknumber"}
    single = {"title", "album"}

    def read(path):
        found = mutagen.File(path, easy=True)
        if found is None:
            raise ValueError()
        length = getattr(found.info, "length", None)
        if length is not None:
            yield "duration", repr(float(length))
        for key, value in (found.tags or {}).items():
            known = keys.get(key, key.lower())
            if known == "genre" and hasattr(value, "genres"):
                value = value.genres
            elif hasattr(value, "text"):
                value = value.text
            if not isinstance(value, (list, tuple)) or known not in keys.values():
                continue
            values = [part.strip() for one in value for part in str(one).split("\0") if part.strip()]
            if known == "tracknumber":
                number = re.match(r"\d+", "".join(values[:1]))
                if number and int(number[0]) > 0:
                    yield "track", str(int(number[0]))
            elif values:
                yield known, values[0] if known in single else "; ".join(values)
    yield read


def main():
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        parts = globals()[sys.argv[1]]()
        name = next(parts)
    except (ImportError, OSError, subprocess.SubprocessError):
        return
    print(json.dumps({"oracle": name}))
    read = next(parts)
    for path in open(sys.argv[2]).read().split("\n"):
        values, unsure = [], []
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                for key, value in read(path):
                    if value is None:
                        unsure.append(key)
                    else:
                        values.append(key + "|" + " ".join(value.split()))
        except Exception:
            continue
        print(json.dumps({"file": path, "values": values, "unsure": unsure}))


main()
