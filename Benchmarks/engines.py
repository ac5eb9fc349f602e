"""The second paper's comparison of relational engines (Figure 4, Tables 4 and 5), on this machine: contacts and photos at four
sizes, the same queries by each engine and by hand on the source's own interface, in turns. Prints Markdown and draws Figure 4.

    engines.py BENCH [--rounds N] [--sizes 100,1000,10000,100000] [--plots FOLDER]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import samples

QUERIES = {
    "contacts": ["full", "projection", "predicate"],
    "photos": ["full", "projection", "predicate", "order"],
}
SAMPLES = {"contacts": samples.contacts, "photos": samples.photos}


def measure(bench, kind, size, rounds, folder):
    """For each query and way, milliseconds of each round."""
    path = os.path.join(folder, f"{kind}-{size}" + (".vcf" if kind == "contacts" else ""))
    SAMPLES[kind](path, size)
    done = subprocess.run([bench, kind, path, str(rounds)], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{bench} {kind} {size} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def spread(values):
    """Median and standard deviation, in ms."""
    middle = statistics.median(values)
    places = 2 if middle < 100 else 0
    return f"{middle:.{places}f} ± {statistics.stdev(values) if len(values) > 1 else 0:.{places}f}"


def table(told, kind, size):
    ways = list(dict.fromkeys(entry["way"] for entry in told))
    print(f"\n### {kind}, {size:,}\n")
    print("| query | rows | " + " | ".join(f"{way}, ms" for way in ways) + " | virtual / pushdown | pushdown / by hand |")
    print("|---|--:|" + "--:|" * (len(ways) + 2))
    for query in QUERIES[kind]:
        entries = {entry["way"]: entry for entry in told if entry["query"] == query}
        middle = {way: statistics.median(entry["ms"]) for way, entry in entries.items()}
        print(f"| {query} | {entries['pushdown']['rows']:,} | " + " | ".join(spread(entries[way]["ms"]) for way in ways)
              + f" | {middle['virtual'] / middle['pushdown']:.2f} | {middle['pushdown'] / middle['by hand']:.2f} |")


def plot(told, kind, path):
    """One panel a query, sizes along, time up, both logarithmic; bars of one standard deviation."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "escrow"
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(QUERIES[kind]), figsize=(3.2 * len(QUERIES[kind]), 3), sharey=True)
    for panel, query in zip(panels, QUERIES[kind]):
        ways = dict.fromkeys(entry["way"] for entries in told.values() for entry in entries)
        for way, mark in zip(ways, "osv^"):
            lists = {size: entry["ms"] for size, entries in told.items() for entry in entries
                     if entry["query"] == query and entry["way"] == way}
            panel.errorbar(list(lists), [statistics.mean(list_) for list_ in lists.values()],
                           [statistics.stdev(list_) if len(list_) > 1 else 0 for list_ in lists.values()],
                           label=way, marker=mark, markersize=4, linewidth=1, capsize=2)
        panel.set(xscale="log", yscale="log", title=query, xlabel=kind)
        panel.grid(True, linewidth=0.3)
    panels[0].set_ylabel("ms")
    panels[-1].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--sizes", default="100,1000,10000,100000")
    parser.add_argument("--plots", metavar="FOLDER", help="draw the figures here; needs matplotlib")
    words = parser.parse_args()
    sizes = [int(size) for size in words.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="escrow-engines-") as folder:
        for kind in QUERIES:
            told = {}
            for size in sizes:
                told[size] = measure(words.bench, kind, size, words.rounds, folder)
                table(told[size], kind, size)
            if words.plots:
                plot(told, kind, os.path.join(words.plots, f"engines-{kind}.svg"))


if __name__ == "__main__":
    main()
