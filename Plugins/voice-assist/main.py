"""What the person said, to their home: words leave, and no sound."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out
sys.path.insert(0, __file__.rpartition("/")[0] + "/wheels")

from escrow_plugin import Refusal, plugin
from hearing import heard


def compute(run):
    rows = list(run.tuples())
    if not rows:
        raise Refusal("not-enough-data", "there is no recording")
    try:
        words = heard(run.asset(rows[0][0]))
    except ValueError as error:
        raise Refusal("unsupported-data", f"this recording cannot be read: {error}")
    if not words:
        raise Refusal("not-enough-data", "no word was understood")
    answer = run.fetch("say", text=words).accepted().json()
    return {"answer": answer["response"]["speech"]["plain"]["speech"][:300]}


plugin(compute)
