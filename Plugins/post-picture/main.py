"""A picture that the person picked, as a post on Bluesky: made smaller here, uploaded as a blob, then the record names it."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out
sys.path.insert(0, __file__.rpartition("/")[0] + "/wheels")

from escrow_plugin import Refusal, plugin
from small import smaller


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201, 204)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def compute(run):
    (handle, name), = run.tuples()
    try:
        picture = smaller(run.asset(handle), 2000, 1_000_000)
    except (OSError, ValueError):
        raise Refusal("unsupported-data", "this picture cannot be read")
    blob = accepted(run.send_bytes("upload", picture, "image/jpeg")).json()["blob"]
    answer = accepted(run.fetch(
        "record", repo=run.params["repo"], text=run.params["text"], createdAt=run.params["createdAt"], alt="a picture",
        link=blob["ref"]["$link"], mimeType=blob["mimeType"], size=blob["size"]))
    return {"uri": answer.json()["uri"]}


plugin(compute)
