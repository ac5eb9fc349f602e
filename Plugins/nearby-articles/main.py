"""Wikipedia articles around the place where the person was last: the host sends the request, to about a kilometre."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def compute(run):
    place = next(run.tuples(), None)
    if place is None:
        raise Refusal("not-enough-data", "no place is known")
    answer = run.fetch("geosearch", latitude=place[0], longitude=place[1])
    if answer.status != 200:
        raise Refusal("other", f"the service answered {answer.status}")
    found = answer.json()["query"]["geosearch"]
    return [[article["title"], article["pageid"], round(article["dist"])] for article in found]


plugin(compute)
