"""Motion and focus to the person's home, as the companion app reports them: one of six words, and yes or no."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


KNOWN = {"Stationary", "Walking", "Running", "Cycling", "Automotive"}


def compute(run):
    states = {entity: state for entity, state, _ in run.tuples()}
    if not states:
        raise Refusal("not-enough-data", "no sensor of motion or focus is known")
    activity = next((state for entity, state in states.items() if entity.endswith("activity")), None)
    focus = any(state == "on" for entity, state in states.items() if entity.endswith("focus"))
    run.fetch("update", webhook=run.params["webhook"], activity=activity if activity in KNOWN else "Unknown", focus=focus).accepted()
    return {"done": True}


plugin(compute)
