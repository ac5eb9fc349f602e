"""How fast rows reach a plugin: Arrow over the pipe into each SDK, beside JSON lines.

    transport.py TRANSPORT_BENCH [--rounds N] [--quick] [--pages FOLDER] [--rows N]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import report  # noqa: E402


def build(folder):
    """The plugins that read, as their authors build them."""
    swift = os.path.join(HERE, "plugins", "row-sum")
    subprocess.run(["swift", "build", "-c", "release", "-Xswiftc", "-static-executable", "--product", "row-sum"], cwd=swift,
                   stdout=subprocess.DEVNULL, check=True)
    programs = [os.path.join(swift, ".build", "release", "row-sum")]
    for form in ("-DESCROW_ARROW", "-UESCROW_ARROW"):
        programs.append(os.path.join(folder, "row-sum" + form))
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-static", "-std=gnu11", form, "-I",
                        os.path.join(HERE, "..", "SDK", "c"), "-o", programs[-1], os.path.join(HERE, "transport", "row_sum.c")],
                       check=True)
    return programs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--rows", type=int)
    words = report.options(parser, rounds=10)
    rows = words.rows or (100_000 if words.quick else 1_000_000)
    page = report.Page("transport", "Rows on their way to the plugin", words.pages)
    page.text(
        f"{rows:,} rows of a number, a name, a coordinate and a moment, out of one batch of 8,192 that lies ready: no source, no "
        "query and no sandbox, a process and two pipes, the protocol's own conversation and the SDKs as they are. Each plugin "
        "adds up every value of every row, and the sums were right. From the first ask until the result; the start of the "
        f"process is not in it. {words.rounds} rounds by turns after one that is not told; median, and in brackets the lowest "
        "and highest tenth. *Host* is the part of the time that the host spent encoding.")
    with tempfile.TemporaryDirectory(prefix="escrow-transport-") as folder:
        swift, c_arrow, c_json = build(folder)
        python = [sys.executable, "-EsB", os.path.join(HERE, "transport", "row_sum.py")]
        cases = {
            "the pipe alone: the same bytes into `cat`": ("raw", ["sh", "-c", "cat > /dev/null"], "Arrow"),
            "Swift, batch by batch": ("batches", [swift], "Arrow"),
            "Swift, row by row": ("rows", [swift], "Arrow"),
            "C with `-DESCROW_ARROW`": ("rows", [c_arrow], "Arrow"),
            "C": ("rows", [c_json], "JSON"),
            "Python, `batches()` with pyarrow": ("batches", python, "Arrow"),
            "Python, `tuples()`": ("tuples", python, "JSON"),
        }
        told = {name: [] for name in cases}
        order = list(cases)
        for number in range(words.rounds + 1):
            for name in list(order):
                way, program, _ = cases[name]
                done = subprocess.run([words.bench, str(rows), way, *program], stdout=subprocess.PIPE)
                if done.returncode:
                    print(f"SKIP: {name}: the bench ended with {done.returncode}", file=sys.stderr)
                    order.remove(name)
                    del told[name]
                elif number:
                    told[name].append(json.loads(done.stdout))
            order = order[1:] + order[:1]
    page.table(
        ["into", "form", "million rows/s", "MB/s", "bytes a row", "ns a row", "of them host"],
        [[name, cases[name][2], report.spread([each["rows"] / each["ms"] / 1e3 for each in list_]),
          report.spread([each["bytes"] / each["ms"] / 1e3 for each in list_]),
          f"{list_[0]['bytes'] / list_[0]['rows']:.0f}",
          report.number(statistics.median(each["ms"] / each["rows"] * 1e6 for each in list_), 0),
          report.number(statistics.median(each["hostMs"] / each["rows"] * 1e6 for each in list_), 0)]
         for name, list_ in told.items()])
    plot(page, told)
    page.text(
        "## What limits it",
        "With Arrow the host's part is writing columns one after the other, and the plugin's is copying and checking them: what "
        "is left is the pipe. Until 2026-11-21 the Swift kit took four times as long batch by batch: its C library gave each "
        "batch's memory back to the kernel, 61,000 page faults for two million rows, now 1,000 (perf). *Row by row* looks every "
        "column up by its name and checks its type in every row; `perf` finds a third of it in that and in counting "
        "references. With JSON the host spells every value, and the plugin reads it letter by letter: in C, `perf` finds the "
        "scanner of strings and `strtod` on top; in Python it is a list, and objects for the values, for each row.")
    page.write()


def plot(page, told):
    pyplot = report.plotting()
    if not pyplot:
        return
    figure, panel = pyplot.subplots(figsize=(6.4, 2.6))
    names = list(told)[::-1]
    rates = [[each["rows"] / each["ms"] / 1e3 for each in told[name]] for name in names]
    panel.barh([name.replace("`", "") for name in names], [statistics.median(list_) for list_ in rates],
               xerr=[statistics.stdev(list_) if len(list_) > 1 else 0 for list_ in rates], capsize=2)
    panel.set(xlabel="million rows a second", xscale="log")
    panel.grid(True, axis="x", linewidth=0.3)
    page.figure(figure, "Rows a second into each SDK")


if __name__ == "__main__":
    main()
