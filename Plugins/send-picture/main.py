"""A picture that the person picked, into a chat: the host reads and sends it, this plugin has a handle alone."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import plugin


def compute(run):
    (handle, name), = run.tuples()
    run.send_file("upload", handle, chat=run.params["chat"]).accepted()
    return {"done": True}


plugin(compute)
