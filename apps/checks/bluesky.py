"""Bluesky: a post with a picture, and the profile picture."""

import json

from .home import ROOT, SECRET, digest, photos_there, sent


def check(day):
    day.source("photos", "samples/photos")
    day.allow("post-picture", "app.bsky")
    refused = day.app("bluesky", "post", "did:plc:ada", "hello", typed="1\n", status=16)
    assert refused == "" and not sent(day), "something left without a token"
    day.keep("bsky.social", "--kind", "oauth2", "--client", "escrow-sample", "--token-url", "https://bsky.social/oauth/token")
    output = day.app("bluesky", "post", "did:plc:ada", "hello", typed="scan\n1\n")
    assert json.loads(output)["uri"].startswith("at://did:plc:ada/")
    token, upload, record = sent(day, "bsky.social")
    pictures = photos_there()
    assert digest(upload.body) not in pictures and upload.body.startswith(b"\xff\xd8"), "the picture was not made anew"
    assert b"Exif" not in upload.body and b"GPS" not in upload.body, "what the picture says of itself was sent"
    assert upload.headers["authorization"] == "Bearer access-1" and day.server.tokens == [SECRET["bsky.social"]]
    image = json.loads(record.body)["record"]["embed"]["images"][0]["image"]
    assert image["size"] == len(upload.body) and image["$type"] == "blob"
    assert b"jpg" not in record.body, "a file's name was sent"
    day.secrets_are_nowhere(output)
    day.allow("profile-picture", "app.bsky")
    assert json.loads(day.app("bluesky", "picture", "did:plc:ada", typed="1\n")) == {"done": True}
    asked, upload, written = sent(day, "bsky.social")[3:]
    profile = json.loads(written.body)["record"]
    assert profile["displayName"] == "Ada" and profile["description"] == "Engines", "the account's words are gone"
    assert profile["avatar"]["size"] == len(upload.body) and json.loads(written.body)["swapRecord"] == "bafyreiprofile"
    assert len(day.server.tokens) == 1, "a token that still counts was asked for anew"
    told = json.loads(day.run("egress", "list", "--each", "--format", "json"))
    assert "access-1" not in str(told) and "refresh" not in str(told), "a token stands in the ledger"

    token = {".bluesky-token": SECRET["bsky.social"]}
    before = len(sent(day))
    told = day.direct("bluesky", "post", "did:plc:ada", "hello", f"{ROOT}/samples/photos/scan.jpg", secret=token)
    assert json.loads(told) == json.loads(output) and [one.line for one in sent(day)[before:]] == [one.line for one in sent(day)[:3]]
    assert json.loads(day.direct("bluesky", "picture", "did:plc:ada", f"{ROOT}/samples/photos/scan.jpg")) == {"done": True}
