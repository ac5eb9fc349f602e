"""Covid Alert: keys shared, and keys matched by the hour."""

import base64
import json
import os

from .desktop import Desktop
from .home import sent


def check(day):
    keys = [{"key": base64.b64encode(bytes([number] * 16)).decode(), "rollingStartNumber": 2956608 + 144 * number,
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
    desktop = Desktop(day)
    assert day.app("covid-alert", "check") == "no exposure is known\n"
    assert not desktop.said("Notify"), "somebody was told of nothing"
    day.server.published.append(bytes([17] * 16))
    output = day.app("covid-alert", "check")
    assert output.startswith("you were exposed on 20"), output
    notices = desktop.said("Notify")
    assert len(notices) == 1 and "You may have been exposed" in notices[0] and output[20:30] in notices[0], notices
    assert "Check exposure" in notices[0] and "ca.covid-alert" in notices[0], "nobody says who speaks"
    for request in sent(day)[1:]:
        assert request.line in ("GET /v1/export.bin", "GET /v1/export.sig") and not request.body, "the server was told something"
    day.server.forged = b"x"
    assert day.app("covid-alert", "check", status=16) == "", "an export that nobody signed was believed"
    day.server.forged = b""
    # Every hour, without anybody: a run of the timetable is made under the grant, and its end is in one line of the day.
    before = len(sent(day))
    # The service would run it as well, at a moment of its own.
    day.end()
    day.run("schedule", "add", "check-exposure", "--app", "ca.covid-alert", "--every", "hour")
    day.run("schedule", "run")
    day.run("schedule", "run")
    entry, = json.loads(day.run("schedule", "list", "--format", "json"))["schedule"]
    assert (entry["runs"], entry["done"], entry["end"]) == (1, 1, "done") and len(sent(day)) == before + 2, entry
    assert len(desktop.said("Notify")) == 2
    day.run("schedule", "remove", entry["id"])
    desktop.end()

    keys = {"keys.json": path}
    assert day.direct("covid-alert", "share", "abc123", files=keys) == "14 keys were shared; thank you\n"
    assert json.loads(sent(day)[-1].body)["temporaryExposureKeys"] == published["temporaryExposureKeys"]
    assert day.direct("covid-alert", "check") == output
