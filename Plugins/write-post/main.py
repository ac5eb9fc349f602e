"""A post on the person's own WordPress, with a picture that they picked and the town where they are. The host reads the picture and
fills in the town; this plugin has neither."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import plugin


def compute(run):
    (handle, name), = run.tuples()
    title = run.params["title"]
    picture = run.send_file("media", handle, title=title).accepted(200, 201).json()["id"]
    post = run.fetch("post", title=title, content=run.params["text"], picture=picture).accepted(200, 201).json()
    return {"id": post["id"]}


plugin(compute)
