"""What an app without an escrow reads by itself of the person's files: where they are, whom they know, what they photographed and said.
On a phone the system's own interfaces stand in its place."""

import array
import datetime
import glob
import json
import os
import re
import wave
import xml.etree.ElementTree as tree

HOME = os.path.expanduser("~")


def place():
    """Latitude and longitude of the newest fix in any track."""
    found = []
    for path in glob.glob(f"{HOME}/tracks/*.gpx"):
        for point in tree.parse(path).iter("{http://www.topografix.com/GPX/1/1}trkpt"):
            when = datetime.datetime.fromisoformat(point.find("{*}time").text)
            found.append((when.timestamp(), float(point.get("lat")), float(point.get("lon"))))
    for path in glob.glob(f"{HOME}/tracks/*.json"):
        with open(path) as file:
            for fix in json.load(file)["locations"]:
                # Google's export has either, by its age.
                when = int(fix["timestampMs"]) / 1000 if "timestampMs" in fix else datetime.datetime.fromisoformat(fix["timestamp"]).timestamp()
                found.append((when, fix["latitudeE7"] / 1e7, fix["longitudeE7"] / 1e7))
    return max(found)[1:]


def cards():
    """Name, numbers and addresses of each contact: RFC 6350."""
    with open(f"{HOME}/contacts.vcf", encoding="utf-8") as file:
        text = re.sub(r"\r?\n[ \t]", "", file.read())
    for card in re.findall(r"BEGIN:VCARD(.*?)END:VCARD", text, re.S):
        lines = re.findall(r"^(?:\w+\.)?(FN|TEL|EMAIL)[^:\n]*:(.*?)\r?$", card, re.M)
        yield [[value for name, value in lines if name == wanted] for wanted in ("FN", "TEL", "EMAIL")]


def photos():
    """Pictures and films, the newest first."""
    from PIL import Image

    found = []
    for folder, _, names in os.walk(f"{HOME}/photos"):
        for name in names:
            path, when = f"{folder}/{name}", None
            if not name.lower().endswith((".jpg", ".jpeg", ".png", ".mp4")):
                continue
            if not name.endswith(".mp4"):
                with Image.open(path) as picture:
                    when = picture.getexif().get_ifd(0x8769).get(0x9003)
            when = when or datetime.datetime.fromtimestamp(os.stat(path).st_mtime).strftime("%Y:%m:%d %H:%M:%S")
            found.append((when, path))
    return [path for _, path in sorted(found, reverse=True)]


def said():
    """The words of the newest recording."""
    from pocketsphinx import Decoder

    with wave.open(max(glob.glob(f"{HOME}/Recordings/*.wav"), key=os.path.getmtime)) as sound:
        rate, channels = sound.getframerate(), sound.getnchannels()
        samples = array.array("h", sound.readframes(rate * 60))[::channels]
    samples = array.array("h", (samples[at * rate // 16000] for at in range(len(samples) * 16000 // rate)))
    decoder = Decoder(samprate=16000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(samples.tobytes(), full_utt=True)
    decoder.end_utt()
    return decoder.hyp().hypstr
