#!/usr/bin/env python3
"""Writes the streams of this folder anew: `make_vectors.py [DIR]`. Standard library only.

Each refused stream breaks exactly one rule of docs/spec/arrow.md; its name is CODE.WHAT.arrow, where CODE is the
error that the reader must give. The others are good.WHAT.arrow.
"""
import struct
import sys
from pathlib import Path

END = b"\xff\xff\xff\xff\0\0\0\0"


# A FlatBuffers builder that does what it is told. A table is a list of slots: None, (format, number), bytes (a
# string), or a Table, Vector or Structs.
class Table:
    def __init__(self, *slots):
        self.slots = slots


class Vector:
    def __init__(self, *items, count=None):
        self.items, self.count = items, count


class Structs:
    def __init__(self, *pairs, count=None):
        self.pairs, self.count = pairs, count


class Raw(bytes):
    """A string with the length word included."""


def flat(root):
    """Lays objects out front to back, all 8-aligned; the references are set once every place is known."""
    out = bytearray(8)

    def pad():
        out.extend(b"\0" * (-len(out) % 8))

    def place(thing):
        pad()
        if isinstance(thing, Raw):
            at = len(out)
            out.extend(thing + b"\0")
        elif isinstance(thing, bytes):
            at = len(out)
            out.extend(struct.pack("<I", len(thing)) + thing + b"\0")
        elif isinstance(thing, Structs):
            out.extend(b"\0" * 4)
            at = len(out)
            out.extend(struct.pack("<I", len(thing.pairs) if thing.count is None else thing.count))
            for pair in thing.pairs:
                out.extend(struct.pack("<qq", *pair))
        elif isinstance(thing, Vector):
            at = len(out)
            out.extend(struct.pack("<I", len(thing.items) if thing.count is None else thing.count))
            out.extend(b"\0" * 4 * len(thing.items))
            for index, item in enumerate(thing.items):
                refer(at + 4 + 4 * index, item)
        else:
            sizes = [0 if s is None else struct.calcsize("<" + s[0]) if isinstance(s, tuple) else 4
                     for s in thing.slots]
            offset, offsets = 4, []
            for size in sizes:
                offset += -offset % size if size else 0
                offsets.append(offset if size else 0)
                offset += size
            vtable = len(out)
            out.extend(struct.pack("<HH", 4 + 2 * len(sizes), offset))
            out.extend(b"".join(struct.pack("<H", o) for o in offsets))
            pad()
            at = len(out)
            out.extend(b"\0" * offset)
            struct.pack_into("<i", out, at, at - vtable)
            for slot, o in zip(thing.slots, offsets):
                if isinstance(slot, tuple):
                    struct.pack_into("<" + slot[0], out, at + o, slot[1])
                elif slot is not None:
                    refer(at + o, slot)
        return at

    def refer(at, thing):
        struct.pack_into("<I", out, at, place(thing) - at)

    refer(0, root)
    pad()
    return bytes(out)


def frame(metadata, body=b""):
    return b"\xff\xff\xff\xff" + struct.pack("<i", len(metadata)) + metadata + body


def message(kind, header, body=b"", version=4, length=None):
    size = len(body) if length is None else length
    return frame(flat(Table(("h", version), ("B", kind), header, ("q", size))), body)


INT64 = (2, Table(("i", 64), ("B", 1)))
REAL = (3, Table(("h", 2)))
BLOB = (4, Table())
TEXT = (5, Table())
BOOL = (6, Table())
MOMENT = (10, Table(("h", 2), b"UTC"))


def field(name, kind, nullable=1, dictionary=None, children=Vector()):
    return Table(name, ("B", nullable), ("B", kind[0]), kind[1], dictionary, children)


def schema(*fields, endian=0, **more):
    return message(1, Table(("h", endian), Vector(*fields)), **more)


def records(rows, nodes, places, body, *, more=(), **rest):
    pairs = places if isinstance(places, Structs) else Structs(*places)
    return message(3, Table(("q", rows), Structs(*nodes), pairs, *more), body, **rest)


def layout(*buffers):
    """Places and body of buffers, one after the other."""
    places, body = [], b""
    for buffer in buffers:
        places.append((len(body), len(buffer)))
        body += buffer + b"\0" * (-len(buffer) % 8)
    return places, body


def batch(rows, nulls, *buffers, **more):
    """A batch of one column."""
    places, body = layout(*buffers)
    return records(rows, [(rows, nulls)], places, body, **more)


def i32(*values):
    return struct.pack(f"<{len(values)}i", *values)


def i64(*values):
    return struct.pack(f"<{len(values)}q", *values)


ONE = schema(field(b"n", INT64))
STRICT = schema(field(b"n", INT64, nullable=0))
WORDS = schema(field(b"t", TEXT))
NUMBERS = batch(3, 0, b"", i64(1, 2, 3))
CODED = schema(field(b"d", TEXT, dictionary=Table(("q", 5), Table(("i", 8), ("B", 1)))))
PLACES, BODY = layout(b"", i32(0, 1, 2), b"ab")
WORDBOOK = message(2, Table(("q", 5), Table(("q", 2), Structs((2, 0)), Structs(*PLACES))), BODY)
FLAT_ONE = ONE[8:]


def patched(stream, at, data):
    return stream[:at] + data + stream[at + len(data):]


GOOD = {
    "no-rows": ONE + END,
    "numbers": ONE + NUMBERS + END,
    "empty-batch": ONE + batch(0, 0, b"", b"") + NUMBERS + END,
    "nulls": ONE + batch(3, 1, b"\x05", i64(1, 0, 3)) + END,
    "validity-without-nulls": ONE + batch(3, 0, b"\x07", i64(1, 2, 3)) + END,
    "bits-past-the-last-row": ONE + batch(3, 1, b"\xfd", i64(1, 0, 3)) + END,
    "value-under-null": ONE + batch(3, 1, b"\x05", i64(1, 77, 3)) + END,
    "text": WORDS + batch(3, 0, b"", i32(0, 1, 1, 3), "aé".encode()) + END,
    "text-under-null": WORDS + batch(2, 1, b"\x02", i32(0, 2, 3), b"\xff\xffb") + END,
    "text-without-offsets": WORDS + batch(0, 0, b"", b"", b"") + END,
    "offsets-not-from-zero": WORDS + batch(2, 0, b"", i32(2, 3, 4), b"??ab??") + END,
    "booleans": schema(field(b"b", BOOL)) + batch(9, 0, b"", b"\x55\xff") + END,
    "moments": schema(field(b"m", MOMENT)) + batch(1, 0, b"", i64(-1)) + END,
    "blobs": schema(field(b"x", BLOB)) + batch(1, 0, b"", i32(0, 2), b"\xff\0") + END,
    "floats": schema(field(b"r", REAL)) + batch(1, 0, b"", struct.pack("<d", 0.5)) + END,
    "nan-with-bits": schema(field(b"r", REAL)) + batch(1, 0, b"", i64(0x7FF8_0000_0000_1234)) + END,
    "nan": schema(field(b"r", REAL)) + batch(1, 0, b"", i64(0x7FF8_0000_0000_0000)) + END,
    "longer-buffers": ONE + batch(1, 0, b"", i64(1, 2, 3)) + END,
    "dictionary": CODED + WORDBOOK + batch(3, 1, b"\x03", b"\x01\x00\x63") + END,
}

REFUSED = {
    # 1: framing
    "malformed-message.no-continuation": ONE[4:] + END,
    "malformed-message.text": b'{"result":{"a":1}}\n',
    "malformed-message.negative-metadata": b"\xff\xff\xff\xff" + i32(-8),
    "malformed-message.metadata-not-a-multiple-of-8": frame(FLAT_ONE + b"\0" * 4) + END,
    "message-too-large.metadata": b"\xff\xff\xff\xff" + i32((1 << 20) + 8),
    "malformed-message.negative-body": ONE + batch(0, 0, b"", b"", length=-8) + END,
    "malformed-message.body-not-a-multiple-of-8": ONE + records(
        1, [(1, 0)], [(0, 0), (0, 8)], i64(1) + b"\0" * 4) + END,
    "message-too-large.body": ONE + batch(0, 0, b"", b"", length=1 << 40) + END,
    "message-order.batch-first": NUMBERS + END,
    "message-order.end-first": END,
    "message-order.two-schemas": ONE + ONE + END,
    "message-order.dictionary-first": WORDBOOK + END,
    "unsupported-format.big-endian": schema(field(b"n", INT64), endian=1) + END,
    "unsupported-format.metadata-version-4": schema(field(b"n", INT64), version=3) + END,
    "unsupported-format.unknown-message": ONE + message(4, Table()) + END,
    "malformed-message.schema-with-a-body": schema(field(b"n", INT64), body=b"\0" * 8) + END,
    # 2: FlatBuffers out of bounds
    "malformed-message.root-outside": frame(patched(FLAT_ONE, 0, i32(1 << 20))) + END,
    "malformed-message.root-far-outside": frame(patched(FLAT_ONE, 0, b"\xff\xff\xff\xff")) + END,
    "malformed-message.vtable-outside": frame(
        patched(FLAT_ONE, struct.unpack_from("<I", FLAT_ONE)[0], i32(-(1 << 30)))) + END,
    "malformed-message.vtable-before-the-buffer": frame(
        patched(FLAT_ONE, struct.unpack_from("<I", FLAT_ONE)[0], i32(1 << 30))) + END,
    "malformed-message.vtable-too-short": frame(patched(FLAT_ONE, 8, b"\x02\0")) + END,
    "malformed-message.vtable-too-long": frame(patched(FLAT_ONE, 8, b"\xfe\xff")) + END,
    "malformed-message.table-too-long": frame(patched(FLAT_ONE, 10, b"\xff\xff")) + END,
    "malformed-message.slot-outside-the-table": frame(patched(FLAT_ONE, 14, b"\x18\x00")) + END,
    "malformed-message.slot-on-the-vtable-distance": frame(patched(FLAT_ONE, 14, b"\x02\x00")) + END,
    "malformed-message.vector-too-long": message(
        1, Table(("h", 0), Vector(field(b"n", INT64), count=1 << 30))) + END,
    "malformed-message.pairs-too-long": ONE + records(
        3, [(3, 0)], Structs((0, 0), (0, 24), count=0x0FFF_FFFF), i64(1, 2, 3)) + END,
    "malformed-message.name-too-long": schema(field(Raw(struct.pack("<I", 0xFFFF_FFF0) + b"n"), INT64)) + END,
    "malformed-message.no-header": ONE + frame(flat(Table(("h", 4), ("B", 3), None, ("q", 0)))) + END,
    "malformed-message.no-fields": message(1, Table(("h", 0), None)) + END,
    "malformed-message.no-type": schema(Table(b"n", ("B", 1), ("B", 2), None, None, Vector())) + END,
    # 3: types
    "unsupported-type.int32": schema(field(b"n", (2, Table(("i", 32), ("B", 1))))) + END,
    "unsupported-type.uint64": schema(field(b"n", (2, Table(("i", 64), ("B", 0))))) + END,
    "unsupported-type.float32": schema(field(b"n", (3, Table(("h", 1))))) + END,
    "unsupported-type.unknown": schema(field(b"n", (200, Table()))) + END,
    "unsupported-type.list": schema(field(b"n", (12, Table()), children=Vector(field(b"item", TEXT)))) + END,
    "unsupported-type.moment-in-ns": schema(field(b"n", (10, Table(("h", 3), b"UTC")))) + END,
    "unsupported-type.moment-without-a-zone": schema(field(b"n", (10, Table(("h", 2))))) + END,
    "unsupported-type.moment-in-another-zone": schema(field(b"n", (10, Table(("h", 2), b"Europe/Rome")))) + END,
    "unsupported-type.dictionary-of-int64": schema(
        field(b"d", INT64, dictionary=Table(("q", 5)))) + END,
    "unsupported-type.dictionary-with-int64-indices": schema(
        field(b"d", TEXT, dictionary=Table(("q", 5), Table(("i", 64), ("B", 1))))) + END,
    "malformed-message.text-with-a-child": schema(field(b"t", TEXT, children=Vector(field(b"c", TEXT)))) + END,
    "unsupported-format.compressed": ONE + batch(
        3, 0, b"", i64(1, 2, 3), more=(Table(("b", 0)),)) + END,
    "unsupported-format.delta-dictionary": CODED + message(
        2, Table(("q", 5), Table(("q", 2), Structs((2, 0)), Structs(*PLACES)), ("B", 1)), BODY) + END,
    "malformed-message.dictionary-of-no-column": CODED + message(
        2, Table(("q", 6), Table(("q", 2), Structs((2, 0)), Structs(*PLACES))), BODY) + END,
    "no-dictionary.batch-before-it": CODED + batch(1, 0, b"", b"\0") + END,
    "bad-index.beyond": CODED + WORDBOOK + batch(1, 0, b"", b"\x02") + END,
    "bad-index.negative": CODED + WORDBOOK + batch(1, 0, b"", b"\xff") + END,
    # 4: nodes and buffers
    "malformed-batch.negative-null-count": ONE + batch(3, -1, b"", i64(1, 2, 3)) + END,
    "malformed-batch.more-nulls-than-rows": ONE + batch(3, 4, b"\0", i64(1, 2, 3)) + END,
    "malformed-batch.negative-rows": ONE + batch(-1, 0, b"", i64(1, 2, 3)) + END,
    "malformed-batch.rows-without-bytes": ONE + batch(1 << 62, 0, b"", b"") + END,
    "malformed-batch.node-of-other-length": ONE + records(3, [(2, 0)], *layout(b"", i64(1, 2, 3))) + END,
    "malformed-batch.buffer-outside": ONE + records(3, [(3, 0)], [(0, 0), (8, 24)], i64(1, 2, 3)) + END,
    "malformed-batch.buffer-overflow": ONE + records(
        3, [(3, 0)], [(0, 0), (8, 2**63 - 1)], i64(1, 2, 3)) + END,
    "malformed-batch.negative-offset": ONE + records(3, [(3, 0)], [(0, 0), (-8, 24)], i64(1, 2, 3)) + END,
    "malformed-batch.values-too-short": ONE + batch(3, 0, b"", i64(1, 2)) + END,
    "malformed-batch.validity-too-short": ONE + batch(9, 1, b"\xfe", i64(*range(9))) + END,
    "malformed-batch.nulls-without-validity": ONE + batch(3, 1, b"", i64(1, 2, 3)) + END,
    "malformed-batch.offsets-too-short": WORDS + batch(3, 0, b"", i32(0, 1, 2), b"ab") + END,
    "malformed-batch.bits-too-short": schema(field(b"b", BOOL)) + batch(9, 0, b"", b"\xff") + END,
    "malformed-batch.indices-too-short": CODED + WORDBOOK + batch(9, 0, b"", b"\0" * 8) + END,
    # 5: offsets
    "bad-offsets.negative": WORDS + batch(2, 0, b"", i32(-1, 1, 2), b"ab") + END,
    "bad-offsets.falling": WORDS + batch(3, 0, b"", i32(0, 2, 1, 2), b"ab") + END,
    "bad-offsets.beyond-the-data": WORDS + batch(2, 0, b"", i32(0, 1, 3), b"ab") + END,
    "bad-offsets.of-blobs": schema(field(b"x", BLOB)) + batch(1, 0, b"", i32(0, 9), b"ab") + END,
    # 7: text and moments
    "not-utf8.text": WORDS + batch(1, 0, b"", i32(0, 2), b"\xc3\x28") + END,
    "not-utf8.overlong": WORDS + batch(1, 0, b"", i32(0, 2), b"\xc0\x80") + END,
    "not-utf8.surrogate": WORDS + batch(1, 0, b"", i32(0, 3), b"\xed\xa0\x80") + END,
    "not-utf8.cut-between-two-rows": WORDS + batch(2, 0, b"", i32(0, 1, 2), "é".encode()) + END,
    "not-utf8.cut-by-a-null": WORDS + batch(3, 1, b"\x05", i32(0, 1, 2, 3), b"\xc3\x28\xa9") + END,
    "not-utf8.name": schema(field(b"\xff", INT64)) + END,
    "not-utf8.dictionary": CODED + message(2, Table(("q", 5), Table(
        ("q", 2), Structs((2, 0)), Structs(*PLACES))), BODY.replace(b"ab", b"\xc3\xa9")) + END,
    "not-timestamp.year-10000": schema(field(b"m", MOMENT)) + batch(1, 0, b"", i64(253_402_300_800_000_000)) + END,
    # 8: counts
    "wrong-null-count.too-few": ONE + batch(3, 1, b"\x01", i64(1, 2, 3)) + END,
    "wrong-null-count.too-many": ONE + batch(3, 2, b"\x03", i64(1, 2, 3)) + END,
    "wrong-null-count.none-said": ONE + batch(3, 0, b"\x03", i64(1, 2, 3)) + END,
    "unexpected-null.non-nullable-column": STRICT + batch(3, 1, b"\x03", i64(1, 2, 3)) + END,
    "malformed-batch.node-left-over": ONE + records(3, [(3, 0), (3, 0)], *layout(b"", i64(1, 2, 3))) + END,
    "malformed-batch.node-missing": ONE + records(3, [], *layout(b"", i64(1, 2, 3))) + END,
    "malformed-batch.buffer-left-over": ONE + batch(3, 0, b"", i64(1, 2, 3), b"hidden") + END,
    "malformed-batch.buffer-missing": ONE + batch(3, 0, i64(1, 2, 3)) + END,
    # 9: sizes; the test's limits are 16 messages, 1,000 rows, 16 KiB a batch, 32 KiB in all
    "column-count.none": schema() + END,
    "column-count.201": schema(*[field(b"c%d" % i, INT64) for i in range(201)]) + END,
    "duplicate-name.two-columns": schema(field(b"n", INT64), field(b"n", TEXT)) + END,
    "name-too-long.column": schema(field(b"n" * 1025, INT64)) + END,
    "stream-too-large.rows": ONE + batch(600, 0, b"", i64(*range(600))) * 2 + END,
    "stream-too-large.endless-empty-batches": ONE + batch(0, 0, b"", b"") * 16 + END,
    "stream-too-large.many-columns-of-one-buffer": schema(
        *[field(b"c%d" % i, TEXT) for i in range(5)]) + records(
            1, [(1, 0)] * 5, [(0, 0), (0, 8), (8, 4096)] * 5, i32(0, 4096) + b"x" * 4096) + END,
    "stream-too-large.bytes-in-all": WORDS + batch(1, 0, b"", i32(0, 12_000), b"x" * 12_000) * 3 + END,
    "stream-too-large.long-words-by-short-indices": CODED + message(2, Table(("q", 5), Table(
        ("q", 1), Structs((1, 0)), Structs((0, 0), (0, 8), (8, 4096)))), i32(0, 4096) + b"x" * 4096) + batch(
            5, 0, b"", b"\0" * 5) + END,
    # 10: the end
    "truncated.without-end-marker": ONE + NUMBERS,
    "truncated.in-the-metadata": ONE[:40],
    "truncated.in-the-body": ONE + NUMBERS[:-8],
    "truncated.in-the-end-marker": ONE + NUMBERS + END[:-1],
    "truncated.nothing": b"",
    "after-end.a-byte": ONE + NUMBERS + END + b"\0",
    "after-end.a-batch": ONE + END + NUMBERS + END,
}

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, stream in GOOD.items():
        (folder / f"good.{name}.arrow").write_bytes(stream)
    for name, stream in REFUSED.items():
        (folder / f"{name}.arrow").write_bytes(stream)
