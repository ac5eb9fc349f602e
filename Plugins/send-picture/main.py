"""A picture that the person picked, into a chat: the host reads and sends it, this plugin has a handle alone."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201, 204)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def compute(run):
    (handle, name), = run.tuples()
    accepted(run.send_file("upload", handle, chat=run.params["chat"]))
    return {"done": True}


plugin(compute)
