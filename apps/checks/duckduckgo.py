"""DuckDuckGo: results around a place, and a question that is spoken."""

import json
import os
import shutil

import servers

from .home import ROOT, place, sent


def check(day):
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
    recordings = os.path.join(day.folder, "Recordings")
    os.makedirs(recordings)
    shutil.copy(f"{ROOT}/Plugins/voice-to-text/Tests/cases/go-forward.wav", f"{recordings}/memo.wav")
    day.source("recordings", recordings)
    day.allow("voice-to-text", "com.duckduckgo")
    day.app("duckduckgo", "--voice")
    said = sent(day)[-1]
    assert said.query["q"] == ["go forward ten meters"], said.query
    assert b"RIFF" not in said.raw and len(said.raw) < 2000, "the sound was sent"

    assert json.loads(day.direct("duckduckgo", "cafes")) == json.loads(output)
    assert sent(day)[-1].query["latitude"] == [str(latitude)], "without the escrow the website is told the place itself"
    day.direct("duckduckgo", "--voice", files={"Recordings": recordings})
    assert sent(day)[-1].query["q"] == said.query["q"]
