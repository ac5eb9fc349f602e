"""A note by mail to somebody whom the person picked, over JMAP: RFC 8620 and 8621. The app never learns to whom."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def compute(run):
    (name, mail), = run.tuples()
    account = run.params["account"]
    answer = accepted(run.fetch(
        "send", account=account, account2=account, subject=run.params["subject"], text=run.params["text"], to=mail))
    kinds = [response[0] for response in answer.json()["methodResponses"]]
    return {"done": kinds == ["Email/set", "EmailSubmission/set"]}


plugin(compute)
