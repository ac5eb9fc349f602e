"""Whether one of the keys that were heard is among those that a key server published: they are fetched whole, and compared here, so that
the server learns nothing. What the authority did not sign counts for nothing; who was exposed is told on their own screen."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

import p256
from escrow_plugin import HostError, Refusal, plugin


HEAD = b"EK Export v1    "
# The health authority's key; the one here is that of the samples.
AUTHORITY = p256.unpack(bytes.fromhex("033a957f43dddeaf74b2fe6906610e45f7966e4b7858650ea622a9a62d4dd28cfe"))


def fields(data):
    """The fields of a Protocol Buffers message: number and value; those of fixed length as bytes."""
    at = 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = number()
        kind = tag & 7
        if kind == 0:
            yield tag >> 3, number()
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        elif kind == 2:
            size = number()
            yield tag >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError


def published(export):
    """The keys of a TemporaryExposureKeyExport, in hexadecimal digits: its field 7, and of each the field 1."""
    if not export.startswith(HEAD):
        raise Refusal("other", "the server sent no export of keys")
    try:
        return {value.hex() for field, key in fields(export[len(HEAD):]) if field == 7
                for inner, value in fields(key) if inner == 1}
    except (IndexError, ValueError, AttributeError, TypeError):
        raise Refusal("other", "the export of keys is damaged")


def signed(export, signatures):
    """Whether the authority signed an export: a TEKSignatureList, of which field 1 has signatures, and of each its field 4."""
    try:
        return any(p256.verified(AUTHORITY, export, value) for field, one in fields(signatures) if field == 1
                   for inner, value in fields(one) if inner == 4)
    except (IndexError, ValueError, AttributeError, TypeError):
        return False


def compute(run):
    export = run.fetch("keys").accepted(200, 201).body
    if not signed(export, run.fetch("signature").accepted(200, 201).body):
        raise Refusal("other", "the export of keys is not signed by the health authority")
    theirs = published(export)
    days = [day for key, day in run.tuples() if key in theirs]
    if days:
        try:
            run.fetch("warn", text=f"on {max(days)}; your health authority says what to do")
        except HostError as error:
            run.log(f"nobody was told: {error.code}", "warning")
    return {"exposed": bool(days), "day": max(days) if days else None}


plugin(compute)
