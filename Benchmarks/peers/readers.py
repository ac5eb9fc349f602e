"""Other programs that answer the benchmark's questions from the same files, each as its documentation advises for speed.

    readers.py PEER QUESTION PATH     one answer
    readers.py PEER                   an answer for each line `QUESTION PATH` of stdin: a process that stays

Prints `{"ms": …, "answer": […]}`; the time begins when the libraries are loaded."""

import json
import os
import sys
import time


def vobject_contacts(question, path):
    import vobject
    count = length = 0
    with open(path, encoding="utf-8", newline="") as file:
        for card in vobject.readComponents(file):
            name = card.n.value
            if question == "all":
                count += 1
                length += len(name.given) + len(name.family) + len(card.tel.value)
            elif name.family == "Last77":
                return [card.tel.value]
    return [count, length]


def gpxpy_location(question, path):
    import gpxpy
    with open(path, encoding="utf-8") as file:
        points = [point for track in gpxpy.parse(file).tracks for segment in track.segments for point in segment.points]
    if question == "newest":
        newest = max(points, key=lambda point: point.time)
        return [newest.latitude, newest.longitude]
    latitudes, longitudes = [point.latitude for point in points], [point.longitude for point in points]
    return [len(points), min(latitudes), max(latitudes), min(longitudes), max(longitudes)]


def json_location(question, path):
    with open(path, "rb") as file:
        points = json.load(file)["locations"]
    if question == "newest":
        newest = max(points, key=lambda point: int(point["timestampMs"]))
        return [newest["latitudeE7"] / 1e7, newest["longitudeE7"] / 1e7]
    latitudes, longitudes = [point["latitudeE7"] for point in points], [point["longitudeE7"] for point in points]
    return [len(points), min(latitudes) / 1e7, max(latitudes) / 1e7, min(longitudes) / 1e7, max(longitudes) / 1e7]


def duckdb_location(question, path):
    """The columns are told, so that nothing is guessed from a sample, and only those that the question needs."""
    import duckdb
    columns = "latitudeE7 BIGINT, longitudeE7 BIGINT" + (", timestampMs BIGINT" if question == "newest" else "")
    points = (f"(SELECT unnest(locations, recursive := true) FROM read_json('{path}', format = 'unstructured', "
              f"maximum_object_size = {os.path.getsize(path) + 1024}, columns = {{locations: 'STRUCT({columns})[]'}}))")
    what = ("latitudeE7 / 1e7, longitudeE7 / 1e7 FROM {} ORDER BY timestampMs DESC LIMIT 1" if question == "newest" else
            "count(*), min(latitudeE7) / 1e7, max(latitudeE7) / 1e7, min(longitudeE7) / 1e7, max(longitudeE7) / 1e7 FROM {}")
    return list(duckdb.execute("SELECT " + what.format(points)).fetchone())


def exifread_photos(question, path):
    import exifread
    count = places = 0
    newest = ("", "")
    for folder, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                tags = exifread.process_file(file, details=False, extract_thumbnail=False)
            count += 1
            places += "GPS GPSLatitude" in tags
            newest = max(newest, (str(tags["EXIF DateTimeOriginal"]), name))
    return [newest[1]] if question == "newest" else [count, places, newest[0]]


PEERS = {"vobject": vobject_contacts, "gpxpy": gpxpy_location, "json": json_location, "duckdb": duckdb_location,
         "exifread": exifread_photos}


def load(peer):
    """Imports are no part of an answer's time; they are one of a process's."""
    if peer != "json":
        __import__(peer)
    if peer == "gpxpy":
        import gpxpy.parser  # noqa: F401


def tell(peer, question, path):
    start = time.perf_counter()
    answer = PEERS[peer](question, path)
    print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "answer": answer}), flush=True)


if __name__ == "__main__":
    load(sys.argv[1])
    if len(sys.argv) == 4:
        tell(*sys.argv[1:])
    else:
        for text in sys.stdin:
            tell(sys.argv[1], *text.split())
