#!/usr/bin/env python3
"""pyarrow as the other side of the Arrow tests.

    peer.py make DIR       writes NAME.arrow (streams by pyarrow) and NAME.txt (their values) into DIR;
                           DIR/refused/ holds streams with types that Escrow does not carry
    peer.py dump FILE...   reads streams, validates them in full and writes their values beside them, FILE.txt

The text: a line `field NAME TYPE NULLABLE` for each column, `batch ROWS` for each batch, then a line for each row,
its cells between bars: `-` for null, integers in decimal, floats as 16 hex digits of their bits (NaN as the one quiet NaN), booleans 0 or 1,
moments in microseconds, text and bytes as `x` and hex digits.
"""
import random
import struct
import sys
from pathlib import Path

import pyarrow as pa

UTC = pa.timestamp("us", tz="UTC")
NAMES = {pa.int64(): "integer", pa.float64(): "real", pa.utf8(): "text", pa.binary(): "blob",
         pa.bool_(): "boolean", UTC: "timestamp"}


def cell(kind, value):
    if value is None:
        return "-"
    if kind == "real":
        return struct.pack(">d", value if value == value else float("nan")).hex()
    if kind == "text":
        return "x" + value.encode().hex()
    if kind == "blob":
        return "x" + value.hex()
    return str(int(value))


def text(stream):
    lines = []
    with pa.ipc.open_stream(stream) as reader:
        kinds = []
        for field in reader.schema:
            plain = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            kinds.append(NAMES[plain])
            lines.append(f"field {field.name} {kinds[-1]} {int(field.nullable)}")
        for batch in reader:
            batch.validate(full=True)
            lines.append(f"batch {batch.num_rows}")
            columns = []
            for kind, column in zip(kinds, batch.columns):
                if kind == "timestamp":
                    column = column.view(pa.int64())
                columns.append([cell(kind, value) for value in column.to_pylist()])
            lines.extend("|".join(row) for row in zip(*columns))
    return "\n".join(lines) + "\n"


def value(dice, kind):
    if kind == "integer":
        return dice.choice([0, -1, 2**63 - 1, -2**63, dice.randrange(10**6)])
    if kind == "real":
        return dice.choice([0.0, -0.0, 1e300, float("inf"), dice.random()])
    if kind == "text":
        return dice.choice(["", "Müller", "日本語", "🙂" * 3, "x" * dice.randrange(40)])
    if kind == "blob":
        return dice.randbytes(dice.randrange(20))
    if kind == "boolean":
        return dice.random() < 0.5
    return dice.choice([0, -1, -62_167_219_200_000_000, 253_402_300_799_999_999, dice.randrange(10**15)])


def table(dice, rows, kinds=tuple(NAMES.values()), nulls=0.2):
    types = {name: kind for kind, name in NAMES.items()}
    fields, arrays = [], []
    for position, kind in enumerate(kinds):
        values = [None if dice.random() < nulls else value(dice, kind) for _ in range(rows)]
        fields.append(pa.field(f"c{position}-{kind}", types[kind], nullable=nulls > 0))
        arrays.append(pa.array(values, types[kind]))
    return pa.table(arrays, schema=pa.schema(fields))


def stream(path, data, rows=None, empty=False):
    with pa.ipc.new_stream(path, data.schema) as writer:
        if empty:
            writer.write_batch(data.slice(0, 0).to_batches()[0] if data.slice(0, 0).to_batches()
                               else pa.record_batch([pa.array([], f.type) for f in data.schema], data.schema))
        for batch in data.to_batches(max_chunksize=rows):
            writer.write_batch(batch)
        if empty:
            writer.write_batch(pa.record_batch([pa.array([], f.type) for f in data.schema], data.schema))


def make(folder):
    folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(7)
    for kind in NAMES.values():
        stream(folder / f"one-{kind}.arrow", table(dice, 100, [kind]))
        stream(folder / f"one-{kind}-without-nulls.arrow", table(dice, 100, [kind], nulls=0))
        stream(folder / f"one-{kind}-nulls-alone.arrow", table(dice, 9, [kind], nulls=2))
    for rows in (0, 1, 7, 8, 9, 63, 64, 65, 1000, 4000):
        stream(folder / f"rows-{rows}.arrow", table(dice, rows), rows=max(1, rows // 3))
    stream(folder / "empty-batches.arrow", table(dice, 10), empty=True)
    stream(folder / "many-batches.arrow", table(dice, 900), rows=1)
    whole = table(dice, 1000)
    stream(folder / "sliced.arrow", whole.slice(3, 900), rows=77)
    stream(folder / "sliced-twice.arrow", whole.slice(101).slice(1, 6))
    large = pa.table({"t": ["é" * (2 << 20), None, "", "y" * (3 << 20)]})
    stream(folder / "large-text.arrow", large)
    wide = pa.table({f"c{i}": [i, None] for i in range(200)})
    stream(folder / "wide.arrow", wide)
    words = ["red", "green", None, "", "red", "日本語"] * 30
    for index in (pa.int8(), pa.int16(), pa.int32(), pa.uint8(), pa.uint16(), pa.uint32()):
        coded = pa.array(words).dictionary_encode().cast(pa.dictionary(index, pa.utf8()))
        stream(folder / f"dictionary-{index}.arrow", pa.table({"d": coded, "n": range(180)}), rows=50)
    # A dictionary that is replaced between two batches.
    schema = pa.schema({"d": pa.dictionary(pa.int32(), pa.utf8())})
    with pa.ipc.new_stream(folder / "dictionary-replaced.arrow", schema) as writer:
        for values in (["a", "b", "a"], ["c", None]):
            writer.write_batch(pa.record_batch([pa.array(values).dictionary_encode()], schema=schema))
    for path in sorted(folder.glob("*.arrow")):
        path.with_suffix(".txt").write_text(text(path))
    refuse(folder / "refused")


def refuse(folder):
    folder.mkdir(exist_ok=True)
    simple = {
        "int32": pa.int32(), "uint64": pa.uint64(), "float32": pa.float32(), "float16": pa.float16(),
        "date": pa.date32(), "large_utf8": pa.large_utf8(), "large_binary": pa.large_binary(),
        "utf8_view": pa.string_view(), "binary_view": pa.binary_view(), "null": pa.null(),
        "list": pa.list_(pa.utf8()), "struct": pa.struct({"a": pa.int64()}), "decimal": pa.decimal128(9, 2),
        "time": pa.time64("us"), "duration": pa.duration("us"), "fixed_size_binary": pa.binary(4),
        "map": pa.map_(pa.utf8(), pa.int64()), "timestamp of a unit other than us": pa.timestamp("ns", "UTC"),
        "timestamp of a zone other than UTC": pa.timestamp("us"),
        "dictionary of other than utf8": pa.dictionary(pa.int32(), pa.int64()),
        "dictionary with indices other than 8, 16 or 32 bits": pa.dictionary(pa.int64(), pa.utf8()),
    }
    for name, kind in simple.items():
        stream(folder / f"{name}.arrow", pa.table([pa.array([None], kind)], names=["c"]))
    data = pa.table({"t": ["a" * 1000] * 10})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(folder / "compressed buffers.arrow", data.schema, options=options) as writer:
        writer.write_table(data)
    schema = pa.schema({"d": pa.dictionary(pa.int32(), pa.utf8())})
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    with pa.ipc.new_stream(folder / "delta dictionaries.arrow", schema, options=options) as writer:
        for values in (["a"], ["a", "b"]):
            coded = pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), pa.array(values))
            writer.write_batch(pa.record_batch([coded], schema=schema))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        for name in sys.argv[2:]:
            Path(name + ".txt").write_text(text(name))
