#!/usr/bin/env python3
"""One page of what the ledgers of some homes tell: who learnt what, a line for each app and plugin.

    who.py ESCROW HOME..."""

import collections
import json
import subprocess
import sys
from urllib.parse import urlsplit


def page(escrow, homes):
    """The lines, the heading first."""
    flows = collections.defaultdict(lambda: collections.Counter())
    words = collections.defaultdict(lambda: {"read": set(), "told": set()})
    for home in homes:
        shown = subprocess.run([escrow, "ledger", "list", "--last", "100000", "--format", "json", "--home", home],
                               capture_output=True, text=True, check=True)
        runs = {}
        for entry in json.loads(shown.stdout)["entries"]:
            fields, kind = entry["fields"], entry["kind"]
            if kind == "run-intent":
                flow = runs[entry["run"]] = fields["app"], fields["plugin"].rpartition(".")[2]
                flows[flow]["runs"] += 1
                words[flow]["read"].update(fields["returns"])
            elif kind == "egress-sent":
                flow = fields["app"], fields["plugin"].rpartition(".")[2]
                url = urlsplit(fields["url"])
                words[flow]["told"].add("this device" if url.scheme == "device" else url.hostname or url.path)
                flows[flow]["sent"] += 0 if url.scheme == "device" else fields["bytes"]
            elif kind == "run-end" and entry.get("run") in runs:
                flows[runs[entry["run"]]]["done"] += fields.get("outcome") == "returned"
                flows[runs[entry["run"]]]["learnt"] += fields.get("resultBytes") or 0
    rows = [("app", "by", "runs", "done", "out of", "the app learnt", "told", "sent")]
    for flow, count in sorted(flows.items()):
        read = sorted(words[flow]["read"])
        rows.append((*flow, str(count["runs"]), str(count["done"]), ", ".join(read[:3]) + (", …" if len(read) > 3 else ""),
                     f"{count['learnt']} bytes", ", ".join(sorted(words[flow]["told"])) or "nobody", f"{count['sent']} bytes"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


if __name__ == "__main__":
    print("\n".join(page(sys.argv[1], sys.argv[2:])))
