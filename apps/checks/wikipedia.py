"""Wikipedia: articles nearby."""

import json

from .home import place, sent


def check(day):
    day.source("location", "samples/tracks")
    day.allow("nearby-articles", "org.wikipedia")
    output = day.app("wikipedia")
    assert ["Bryggen", 1100001, 612] in json.loads(output)
    latitude, longitude = place(day)
    for request in sent(day):
        assert request.query["gscoord"] != [f"{latitude}|{longitude}"], "the place itself was told"
    assert str(latitude) not in output and str(longitude) not in output

    assert json.loads(day.direct("wikipedia")) == json.loads(output)
    assert sent(day)[-1].query["gscoord"] == [f"{latitude}|{longitude}"]
