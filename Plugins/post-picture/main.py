"""A picture that the person picked, as a post on Bluesky: made smaller here, uploaded as a blob, then the record names it."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out
sys.path.insert(0, __file__.rpartition("/")[0] + "/wheels")

from escrow_plugin import Refusal, plugin
from small import smaller


def compute(run):
    (handle, name), = run.tuples()
    try:
        picture = smaller(run.asset(handle), 2000, 1_000_000)
    except (OSError, ValueError):
        raise Refusal("unsupported-data", "this picture cannot be read")
    blob = run.send_bytes("upload", picture, "image/jpeg").accepted().json()["blob"]
    answer = run.fetch(
        "record", repo=run.params["repo"], text=run.params["text"], createdAt=run.params["createdAt"], alt="a picture",
        link=blob["ref"]["$link"], mimeType=blob["mimeType"], size=blob["size"]).accepted()
    return {"uri": answer.json()["uri"]}


plugin(compute)
