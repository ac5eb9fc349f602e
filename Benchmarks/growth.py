"""Rows a second and peak memory from a hundred rows to ten million: whole processes, access and run().

    growth.py ESCROW PACKAGES [--rounds N] [--quick] [--pages FOLDER] [--points N]
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import report  # noqa: E402
import samples  # noqa: E402
from bench import write_points  # noqa: E402
from homes import APP, Homes  # noqa: E402

AGGREGATES = {
    "contacts": "SELECT count(*), min(familyName), max(givenName), count(phoneNumber) FROM Contacts",
    "location": "SELECT count(*), min(latitude), max(latitude), avg(longitude), max(timestamp) FROM Location",
}
# Cases: what is measured → the kind of source.
CASES = {"contacts, access": "contacts", "location, access": "location", "location, run()": "location"}


class Growth:
    def __init__(self, words, homes):
        self.words, self.homes = words, homes

    def access(self, home, kind):
        """Seconds of the process, and the host's peak memory in MiB by the last look before its end: the kernel's own count
        for a child begins with what this interpreter held."""
        start = time.perf_counter()
        child = subprocess.Popen([self.homes.escrow, "access", AGGREGATES[kind], "--rows"],
                                 env=dict(os.environ, ESCROW_HOME=home), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        peak = 0
        while child.poll() is None:
            told = re.search(r"^VmHWM:\s*(\d+)", report.read(f"/proc/{child.pid}/status"), re.M)
            peak = max(peak, int(told[1]) if told else 0)
            time.sleep(0.001)
        took = time.perf_counter() - start
        error = child.stderr.read().decode()
        child.stderr.close()
        if child.returncode:
            raise RuntimeError(f"escrow access ended with {child.returncode}:\n{error}")
        return {"s": took, "host": peak / 1024, "plugin": 0}

    def run(self, home):
        """The same for a run, by the host's own count."""
        start = time.perf_counter()
        told = self.homes.call(home, "run", "day-reach", "--app", APP, "--quiet", "--timings", "--format", "json")[1]
        took = time.perf_counter() - start
        peak = re.search(r"peak memory of the host (\d+) KiB, of the plugin (\d+) KiB", told)
        return {"s": took, "host": int(peak[1]) / 1024, "plugin": int(peak[2]) / 1024}

    def measure(self, kind, count):
        """Rounds of the kind's cases by turns, after one that is not told."""
        source = self.homes.path(f"{kind}-{count}" + (".vcf" if kind == "contacts" else ".json"))
        (samples.contacts if kind == "contacts" else write_points)(source, count)
        megabytes = os.path.getsize(source) / 1e6
        home = self.homes.make(f"home-{kind}-{count}", kind, source, *(["day-reach"] if kind == "location" else []))
        cases = {"contacts, access": lambda: self.access(home, "contacts"),
                 "location, access": lambda: self.access(home, "location"), "location, run()": lambda: self.run(home)}
        told = {name: [] for name in CASES if CASES[name] == kind}
        for number in range(self.words.rounds + 1):
            for name in told:
                if number == 0 and count > 1_000_000:
                    continue  # the file was just written: it is warm
                one = cases[name]()
                if number:
                    told[name].append(one)
        os.remove(source)
        return megabytes, told


def table(page, name, sizes):
    """`sizes`: count → (megabytes of the file, rounds)."""
    base = max(each["host"] for each in next(iter(sizes.values()))[1])
    is_run = any(each["plugin"] for _, rounds in sizes.values() for each in rounds)
    rows = []
    for count, (megabytes, rounds) in sizes.items():
        host = max(each["host"] for each in rounds)
        rows.append([
            f"{count:,}", report.number(megabytes, 1), str(len(rounds)),
            report.spread([each["s"] * 1e3 for each in rounds]),
            f"{count / statistics.median(each['s'] for each in rounds):,.0f}", report.number(host, 1), f"{host / base:.2f}",
            *([report.number(max(each["plugin"] for each in rounds), 1)] if is_run else [])])
    page.text(f"## {name}")
    page.table(["rows", "file, MB", "rounds", "whole process, ms", "rows/s", "host's peak, MiB", "to the first",
                *(["plugin's peak, MiB"] if is_run else [])], rows)


def plot(page, told):
    pyplot = report.plotting()
    if not pyplot:
        return
    figure, (speed, memory) = pyplot.subplots(1, 2, figsize=(8.4, 3))
    for (name, sizes), mark in zip(told.items(), "osv"):
        speed.plot(list(sizes), [count / statistics.median(each["s"] for each in rounds)
                                 for count, (_, rounds) in sizes.items()], marker=mark, markersize=4, label=name)
        memory.plot(list(sizes), [max(each["host"] for each in rounds) for _, rounds in sizes.values()], marker=mark,
                    markersize=4, label=name + ", host")
        if any(each["plugin"] for _, rounds in sizes.values() for each in rounds):
            memory.plot(list(sizes), [max(each["plugin"] for each in rounds) for _, rounds in sizes.values()], marker="x",
                        markersize=4, label=name + ", plugin")
    speed.set(xscale="log", yscale="log", xlabel="rows", ylabel="rows a second, whole process")
    memory.set(xscale="log", xlabel="rows", ylabel="peak memory, MiB", ylim=(0, None))
    for panel in (speed, memory):
        panel.grid(True, linewidth=0.3)
        panel.legend(fontsize=7)
    page.figure(figure, "Rows a second and peak memory by rows")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("escrow")
    parser.add_argument("packages")
    parser.add_argument("--points", type=int, help="the largest location history (default: ten million)")
    words = report.options(parser, rounds=10)
    largest = words.points or (10_000 if words.quick else 10_000_000)
    steps = [10 ** power for power in range(2, 8)]
    counts = {"contacts": [count for count in steps if count <= min(largest, 1_000_000)],
              "location": [count for count in steps if count <= largest]}
    page = report.Page("growth", "From a hundred rows to ten million", words.pages)
    page.text(
        "An aggregate over all rows by `escrow access`, and the plugin day-reach by `escrow run`, which pipes every row into "
        f"its sandbox: each a process of its own, so the start is in every figure. {words.rounds} rounds by turns after one "
        "that is not told; median, and in brackets the lowest and highest tenth. Memory is the "
        "peak of the resident set, the highest of the rounds: the kernel's `VmHWM`, read by the process itself for a run, "
        "and once a millisecond from outside for an access. Goal: memory flat. Location is Google Takeout's "
        "`Records.json`, one point a minute; contacts are one vCard file.")
    told = {name: {} for name in CASES}
    with tempfile.TemporaryDirectory(prefix="escrow-growth-") as folder:
        growth = Growth(words, Homes(words.escrow, words.packages, folder))
        for kind, list_ in counts.items():
            for count in list_:
                megabytes, cases = growth.measure(kind, count)
                for name, rounds in cases.items():
                    told[name][count] = (megabytes, rounds)
                print(f"{kind} {count:,}: " + ", ".join(
                    f"{statistics.median(each['s'] for each in rounds):.3f} s" for rounds in cases.values()), file=sys.stderr)
    for name, sizes in told.items():
        table(page, name, sizes)
    plot(page, told)
    page.text(
        "Rows stream: the host holds a few batches, the reader a block of the file, and the plugin day-reach a box for each day, so "
        "that its memory grows with the days. The set by which the ledger tells which records a run read is "
        "bounded. The start of a process is all of the time of the small sizes.")
    page.write()


if __name__ == "__main__":
    main()
