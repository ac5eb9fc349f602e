"""A picture that the person picked, as a post on Bluesky: it is uploaded as a blob, then the record names it. Its bytes go from the
host to the server; this plugin has a handle alone."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def compute(run):
    (handle, name), = run.tuples()
    blob = accepted(run.send_file("upload", handle)).json()["blob"]
    answer = accepted(run.fetch(
        "record", repo=run.params["repo"], text=run.params["text"], createdAt=run.params["createdAt"], alt="a picture",
        link=blob["ref"]["$link"], mimeType=blob["mimeType"], size=blob["size"]))
    return {"uri": answer.json()["uri"]}


plugin(compute)
