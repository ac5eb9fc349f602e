"""The town that the person is in, by a list of towns that lies in the package: no server is asked, and the name alone is told."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

import places
from escrow_plugin import Refusal, plugin


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201, 204)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def compute(run):
    rows = list(run.tuples())
    if not rows:
        raise Refusal("not-enough-data", "no place is known")
    name, country, *_ = places.nearest(__file__.rpartition("/")[0], *rows[0])
    text = f"{name}, {country}"
    accepted(run.fetch("share", chat=run.params["chat"], text=text))
    return {"place": text}


plugin(compute)
