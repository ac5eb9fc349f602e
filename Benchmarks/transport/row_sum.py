"""Adds up every value of every row, to measure how fast rows reach a plugin in Python: `way` is tuples, rows or batches."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "SDK", "python"))

from datetime import datetime  # noqa: E402

from escrow_plugin import plugin  # noqa: E402


def compute(run):
    ids = length = seconds = 0
    latitudes = 0.0
    if run.params["way"] == "batches":
        import pyarrow.compute as compute

        for batch in run.batches():
            ids += compute.sum(batch.column(0)).as_py()
            length += compute.sum(compute.binary_length(batch.column(1))).as_py()
            latitudes += compute.sum(batch.column(2)).as_py()
            seconds += compute.sum(compute.divide(batch.column(3).cast("int64"), 1_000_000)).as_py()
    else:
        for row in run.tuples():
            ids += row[0]
            length += len(row[1].encode())
            latitudes += row[2]
            seconds += int(datetime.fromisoformat(row[3]).timestamp())
    return {"ids": ids, "bytes": length, "latitude": latitudes, "seconds": seconds}


plugin(compute)
