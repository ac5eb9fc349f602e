"""A note by mail to somebody whom the person picked: the host hands it in at their own mail server, in their name."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def compute(run):
    (name, mail), = run.tuples()
    answer = run.fetch("send", to=mail, subject=run.params["subject"], text=run.params["text"])
    if answer.status != 250:
        raise Refusal("other", f"the mail server answered {answer.status}")
    return {"done": True}


plugin(compute)
