"""A picture that the person picked, as that of their account on Bluesky. What else the account says of itself stays as it is."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out
sys.path.insert(0, __file__.rpartition("/")[0] + "/wheels")

from escrow_plugin import Refusal, plugin
from small import smaller


def compute(run):
    (handle, name), = run.tuples()
    try:
        picture = smaller(run.asset(handle), 1000, 1_000_000)
    except (OSError, ValueError):
        raise Refusal("unsupported-data", "this picture cannot be read")
    repo = run.params["repo"]
    profile = run.fetch("read", repo=repo).accepted().json()
    blob = run.send_bytes("upload", picture, "image/jpeg").accepted().json()["blob"]
    words = {name: profile.get("value", {}).get(name, "") for name in ("displayName", "description")}
    run.fetch("write", repo=repo, swapRecord=profile["cid"], link=blob["ref"]["$link"], size=blob["size"], **words).accepted()
    return {"done": True}


plugin(compute)
