"""The plugin that the transcripts test the Python kit with."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0] + "/../../../../SDK/python")

from escrow_plugin import HostError, Refusal, plugin


def cells(run):
    if "--arrow" not in sys.argv:
        return run.tuples()
    return (list(row.values()) for batch in run.batches() for row in batch.to_pylist())


def compute(run):
    what = run.params["do"]
    if what == "sum":
        rows = [row[0] for row in cells(run)]
        return {"n": len(rows), "sum": sum(value for value in rows if value is not None)}
    if what == "first":
        return {"first": next(iter(cells(run)))[0]}
    if what == "table":
        return list(cells(run))
    if what == "assets":
        count = missing = 0
        for row in cells(run):
            try:
                count += len(run.asset(row[0]))
            except HostError:
                missing += 1
        return {"bytes": count, "missing": missing}
    if what == "pieces":
        count = 0
        for row in cells(run):
            try:
                count += sum(len(piece) for _, piece in zip(range(2), run.asset_pieces(row[0], 3)))
            except HostError:
                pass
        return {"read": count}
    if what == "request":
        count = failed = 0
        for endpoint in "b", "a":
            try:
                count += len(run.fetch(endpoint, x=0.5, t='"', f=True).body)
            except HostError:
                failed += 1
        return {"bytes": count, "failed": failed}
    if what == "together":
        ends = run.fetch_together([("c", {}), ("b", {"n": 1}), ("a", {"n": 2})])
        failed = [end for end in ends if isinstance(end, HostError)]
        return {"bytes": sum(len(end.body) for end in ends if end not in failed), "failed": len(failed)}
    raise Refusal("not-enough-data", "none")


plugin(compute)
