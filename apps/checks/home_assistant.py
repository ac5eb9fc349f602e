"""Home Assistant: place, motion, focus and voice to the house."""

import json
import os
import shutil

import servers

from .desktop import Desktop
from .home import ROOT, SECRET, place, sent


def check(day):
    day.source("location", "samples/tracks")
    day.own("home")
    day.keep("home")
    day.allow("report-place", "io.home-assistant")
    output = day.app("home-assistant", "place", "cafe01")
    assert json.loads(output) == {"done": True}
    request, = sent(day)
    latitude, longitude = place(day)
    told = json.loads(request.body)
    assert request.line == "POST /api/webhook/cafe01" and told["type"] == "update_location"
    assert servers.metres(*told["data"]["gps"], latitude, longitude) < 1, "the home was told another place"
    day.run("location", "rule", "add", "--app", "io.home-assistant", "--tell", "none")
    assert day.app("home-assistant", "place", "cafe01", status=16) == "" and len(sent(day)) == 1
    # Focus from the desktop itself, before any recorder.
    desktop = Desktop(day)
    day.source("sensors", desktop.socket)
    day.allow("report-activity", "io.home-assistant")
    for quiet in (False, True):
        if quiet:
            open(desktop.log + ".quiet", "x").close()
        assert json.loads(day.app("home-assistant", "activity", "cafe01")) == {"done": True}
        assert [one["state"] for one in json.loads(sent(day)[-1].body)["data"]] == ["Unknown", quiet], "another focus than the desktop's"
    day.run("source", "remove", "sensors", desktop.socket)
    desktop.end()
    day.serve()
    recorder = os.path.join(day.folder, "home-assistant_v2.db")
    servers.recorder(recorder, {"sensor.phone_activity": ["Stationary", "Walking"], "binary_sensor.phone_focus": ["off", "on"],
                                "sensor.door_secret": ["open"]})
    day.source("sensors", recorder)
    assert json.loads(day.app("home-assistant", "activity", "cafe01")) == {"done": True}
    told = json.loads(sent(day)[-1].body)
    assert told == {"type": "update_sensor_states", "data": [
        {"type": "sensor", "unique_id": "activity", "state": "Walking"},
        {"type": "binary_sensor", "unique_id": "focus", "state": True}]}, told
    activity = told
    recordings = os.path.join(day.folder, "Recordings")
    os.makedirs(recordings)
    shutil.copy(f"{ROOT}/Plugins/voice-to-text/Tests/cases/go-forward.wav", f"{recordings}/memo.wav")
    day.source("recordings", recordings)
    day.allow("voice-assist", "io.home-assistant")
    assert json.loads(day.app("home-assistant", "voice")) == {"answer": "It goes forward."}
    said = sent(day)[-1]
    assert json.loads(said.body) == {"text": "go forward ten meters", "language": "en"} and b"RIFF" not in said.raw
    day.secrets_are_nowhere(output)

    token = {".home-token": SECRET["home"]}
    before = len(sent(day))
    for words in (["place", "cafe01"], ["activity", "cafe01"]):
        assert json.loads(day.direct("home-assistant", *words, secret=token, files={
            "home-assistant_v2.db": recorder, "Recordings": recordings})) == {"done": True}
    assert json.loads(day.direct("home-assistant", "voice")) == {"answer": "It goes forward."}
    assert json.loads(sent(day)[before].body)["data"]["gps"] == [latitude, longitude]
    assert json.loads(sent(day)[before + 1].body) == activity, "other words without the escrow"
