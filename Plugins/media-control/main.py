"""Play or pause, by the player of this device: nothing leaves it."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def compute(run):
    if not list(run.tuples()):
        raise Refusal("not-enough-data", "there is nothing to play")
    return {"done": run.fetch("player", action=run.params["action"]).status == 204}


plugin(compute)
