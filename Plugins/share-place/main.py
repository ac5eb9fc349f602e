"""The town that the person is in, by a list of towns that lies in the package: no server is asked, and the name alone is told."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

import places
from escrow_plugin import Refusal, plugin


def compute(run):
    rows = list(run.tuples())
    if not rows:
        raise Refusal("not-enough-data", "no place is known")
    name, country, *_ = places.nearest(__file__.rpartition("/")[0], *rows[0])
    text = f"{name}, {country}"
    run.fetch("share", chat=run.params["chat"], text=text).accepted()
    return {"place": text}


plugin(compute)
