"""WordPress: a post with a place and a picture."""

import json

import servers

from .home import ROOT, SECRET, place, sent


def check(day):
    day.source("photos", "samples/photos")
    day.source("location", "samples/tracks")
    day.own("wordpress")
    day.keep("wordpress", "--kind", "basic", "--user", "ada")
    day.allow("write-post", "org.wordpress")
    output = day.app("wordpress", "A walk", "It rained.", typed="1\n")
    assert json.loads(output) == {"id": 7}
    media, post = sent(day)
    assert b'name="title"\r\n\r\nA walk\r\n' in media.body and media.headers["content-type"].startswith("multipart/form-data")
    parsed = json.loads(post.body)
    assert parsed["featured_media"] == 41 and parsed["title"] == "A walk"
    latitude, longitude = place(day)
    told = float(parsed["meta"]["geo_latitude"]), float(parsed["meta"]["geo_longitude"])
    assert told != (latitude, longitude) and servers.metres(*told, latitude, longitude) < 30_000
    day.secrets_are_nowhere(output)

    told = day.direct("wordpress", "A walk", "It rained.", f"{ROOT}/samples/photos/scan.jpg",
                      secret={".wordpress-password": SECRET["wordpress"]})
    assert json.loads(told) == {"id": 7}
