"""Which contacts use a service, by private set intersection: numbers become points of a curve, blinded by a secret of this run; the
service multiplies them by its own, and sends its users multiplied alike. The service learns how many there are; nobody learns
a number that only one side has. Huberman, Franklin, Hogg 1999; RFC 9380 for the points."""

import os
import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

import p256
from escrow_plugin import Refusal, plugin


def accepted(answer, *codes):
    """The answer, where the server took the request."""
    if answer.status not in (codes or (200, 201)):
        raise Refusal("other", f"the server answered {answer.status}")
    return answer


def spelled(phone):
    """A number of the United States as E.164 spells it; None for others."""
    digits = "".join(digit for digit in phone if digit in "0123456789")
    if len(digits) == 11 and digits[0] == "1":
        digits = digits[1:]
    return "+1" + digits if len(digits) == 10 else None


def compute(run):
    phones = sorted({number for phone, in run.tuples() if (number := spelled(phone))})
    if not phones:
        raise Refusal("not-enough-data", "there is no number to compare")
    secret = p256.secret(os.urandom(48))
    # In the order of the blinded points, which has nothing of the order of the numbers.
    blinded = sorted((p256.pack(p256.multiply(secret, p256.hashed(phone.encode()))), phone) for phone in phones)
    answer = accepted(run.fetch("discover", point=[point.hex() for point, _ in blinded])).json()
    users, back = set(answer["users"]), pow(secret, -1, p256.ORDER)
    found = []
    for (_, phone), point in zip(blinded, answer["points"], strict=True):
        if p256.pack(p256.multiply(back, p256.unpack(bytes.fromhex(point)))).hex() in users:
            found.append([phone])
    return found


plugin(compute)
