"""Asks for requests as the parameter says, one word each (`together:good,good` is one ask for two), and returns what came of them."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import HostError, plugin

ASKS = {
    "good": ("place", {"lat": 60.37, "lon": 5.27}),
    "range": ("place", {"lat": 91.0, "lon": 5.27}),
    "type": ("place", {"lat": "60\r\nx: y", "lon": 5.27}),
    "extra": ("place", {"lat": 60.37, "lon": 5.27, "name": "Canaria Quill"}),
    "missing": ("place", {"lat": 60.37}),
    "other": ("elsewhere", {}),
}


def flood(run):
    """Asks until it is ended."""
    while True:
        try:
            run.fetch("elsewhere")
        except HostError:
            pass


def compute(run):
    said = []
    for word in run.params["calls"].split():
        if word == "fail":
            sys.exit(3)
        if word == "flood":
            flood(run)
        try:
            if word.startswith("together:"):
                ends = run.fetch_together([ASKS[each] for each in word[9:].split(",")])
                said.append(",".join(end.code if isinstance(end, HostError) else str(end.status) for end in ends))
                continue
            endpoint, fields = ASKS[word]
            said.append(str(run.fetch(endpoint, **fields).status))
        except HostError as error:
            said.append(error.code)
    return {"said": " ".join(said)}


plugin(compute)
