"""A post on the person's own WordPress, with a picture that they picked and the town where they are. The host reads the picture and
fills in the town; this plugin has neither."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def compute(run):
    (handle, name), = run.tuples()
    title = run.params["title"]
    picture = accepted(run.send_file("media", handle, title=title)).json()["id"]
    post = accepted(run.fetch("post", title=title, content=run.params["text"], picture=picture)).json()
    return {"id": post["id"]}


plugin(compute)
