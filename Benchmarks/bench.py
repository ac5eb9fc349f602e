"""Measures what a run of escrow costs. Machines are noisy: the cold cases take turns, round by round, so that a slow
minute hits all of them, and each is told as a ratio to a baseline of the same rounds.

    bench.py ESCROW PACKAGES [--rounds N] [--points N]
"""

import argparse
import base64
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import zlib

import samples

SEED = 20260301
APP = "org.example.bench"
PARTS = ["open", "verify", "access", "launch", "compute", "result", "run"]
PLUGINS = ["phone-check", "age-of-contacts", "places-summary"]
# One row, ("u1", "(312) 555-0101"), as an Arrow stream of two text columns, contact and phoneNumber.
ONE_ROW = zlib.decompress(base64.b64decode(
    "eNp1UDkOwjAQnASTRCFCLhCioKCEAgmD8gNq/gBRJBoOIeh4DM/hART8xozDRkEGRlrPznp2fVhr7Q2AhkOKDBHaSJgRgaIGVcJV"
    "yQqEjKXkD/bT2Hb9Q6k5dBjH7WFfri67TXnCnT6NHmdEiKupWs787o0ZxWF/Xhdn1lRVZ7t9knviydCXm2bVNLQUBqQxaqTUWXVr"
    "95arvDFAgwj/kXgcCmvPpz3fQLj74Qm9c/FD176LabSbMV6Y+WSU5/l0Zmbm/Q9u7wUMUSNN"))
HELLO = {
    "escrow": 1, "run": "r-1", "params": {}, "features": ["rows"],
    "columns": [{"name": "contact", "type": "text"}, {"name": "phoneNumber", "type": "text"}],
    "limits": {"rowsPerAsk": 8192, "lineBytes": 65536, "resultBytes": 16777216}}


def line(value):
    return json.dumps(value).encode() + b"\n"


def write_points(path, count):
    """One point a minute, a slow walk without end."""
    pick = random.Random(SEED)
    latitude, longitude = 603_800_000, 53_300_000
    with open(path, "w") as out:
        out.write('{"locations": [\n')
        for index in range(count):
            latitude += pick.randrange(-4000, 4001)
            longitude += pick.randrange(-8000, 8001)
            out.write(f'{{"latitudeE7": {latitude}, "longitudeE7": {longitude}, "accuracy": 19, "source": "GPS", '
                      f'"timestampMs": "{1_577_836_800_000 + index * 60_000}"}}{"," if index + 1 < count else ""}\n')
        out.write("]}\n")


class Refused(Exception):
    """escrow said no, with an error code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Bench:
    def __init__(self, escrow, packages, folder):
        self.escrow, self.packages, self.folder = escrow, packages, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, home, *words):
        """Runs escrow; gives the wall time in ms, its stdout and its stderr. Raises Refused when it fails."""
        environment = dict(os.environ, ESCROW_HOME=home)
        start = time.perf_counter()
        done = subprocess.run([self.escrow, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True)
        took = (time.perf_counter() - start) * 1e3
        if done.returncode:
            told = done.stderr.decode()
            code = re.search(r"error\[(E\d{4})\]", told)
            raise Refused(code[1] if code else "?", f"escrow {' '.join(words[:2])} ended with {done.returncode}:\n{told}")
        return took, done.stdout.decode(), done.stderr.decode()

    def home(self, name, kind, source):
        """A home with one source, the plugins, and a grant for each."""
        home = self.path(name)
        self.call(home, "init")
        self.call(home, "source", "add", kind, source)
        keys = self.call(os.path.join(self.packages, "publisher"), "key", "list", "--format", "json")[1]
        self.call(home, "trust", "add", "org.example.*", json.loads(keys)["keys"][0]["publicKey"], "--name", "samples")
        for plugin in PLUGINS:
            self.call(home, "plugin", "install", os.path.join(self.packages, plugin + ".escrow"), "--yes")
            self.call(home, "grant", "allow", "--app", APP, "--plugin", plugin)
        return home

    def run(self, home, plugin):
        """One run: wall time in ms, the parts that --timings tells, peak memory of host and plugin in KiB."""
        took, _, told = self.call(home, "run", plugin, "--app", APP, "--quiet", "--timings", "--format", "json")
        parts = {part: float(re.search(rf"\b{part} ([0-9.]+)", told)[1]) for part in PARTS}
        peak = re.search(r"peak memory of the host (\d+) KiB(?:, of the plugin (\d+) KiB)?", told)
        return took, parts, [int(number) if number else None for number in peak.groups()] if peak else [None, None]

    def query(self, home, sql):
        """A query of the owner's: wall time in ms, and the peak memory in KiB of the last look, a millisecond apart.
        wait4 would tell what this interpreter held before it became escrow."""
        start = time.perf_counter()
        child = subprocess.Popen([self.escrow, "access", sql, "--rows"], env=dict(os.environ, ESCROW_HOME=home),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        peak = 0
        while child.poll() is None:
            with open(f"/proc/{child.pid}/status") as status:
                peak = max([peak] + [int(text.split()[1]) for text in status if text.startswith("VmHWM:")])
            time.sleep(0.001)
        took = (time.perf_counter() - start) * 1e3
        told = child.stderr.read().decode()
        child.stderr.close()
        if child.returncode:
            sys.exit(f"escrow access ended with {child.returncode}:\n{told}")
        return took, peak

    def process(self, *words):
        start = time.perf_counter()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        return (time.perf_counter() - start) * 1e3

    def bare(self, program):
        """The plugin phone-check on one row, by itself: no sandbox, no host, no check of anything."""
        start = time.perf_counter()
        plugin = subprocess.Popen([program], bufsize=0, env={"ESCROW_PLUGIN": "1"},
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        plugin.stdin.write(line(HELLO))
        plugin.stdout.readline()
        plugin.stdin.write(line({"batch": {"rows": 1, "bytes": len(ONE_ROW), "more": False}}) + ONE_ROW)
        if b'"result"' not in plugin.stdout.readline() or plugin.wait():
            sys.exit("the bare plugin gave no result")
        plugin.stdin.close(), plugin.stdout.close()
        return (time.perf_counter() - start) * 1e3


def spread(values):
    tenths = statistics.quantiles(values, n=10, method="inclusive")
    return statistics.median(values), tenths[0], tenths[8]


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "|".join(["---"] + ["--:"] * (len(head) - 1)) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def ms(value):
    return f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def mib(kib):
    return "?" if kib is None else f"{kib / 1024:.1f}"


def cold(bench, rounds):
    samples.contacts(bench.path("one.vcf"), 1)
    samples.contacts(bench.path("five.vcf"), 5)  # age-of-contacts refuses fewer
    write_points(bench.path("two.json"), 2)
    one = bench.home("one", "contacts", bench.path("one.vcf"))
    five = bench.home("five", "contacts", bench.path("five.vcf"))
    two = bench.home("two", "location", bench.path("two.json"))
    with tarfile.open(os.path.join(bench.packages, "phone-check.escrow")) as package:
        member = next(m for m in package.getmembers() if m.name.endswith("/phone-check"))
        program = bench.path("phone-check")
        with open(program, "wb") as out:
            out.write(package.extractfile(member).read())
        os.chmod(program, 0o755)
    parts = {}

    def run(name, home, plugin):
        took, told, _ = bench.run(home, plugin)
        parts.setdefault(name, []).append(told)
        return took

    cases = {
        "`/bin/true`": lambda name: bench.process("/bin/true"),
        "`escrow --version`": lambda name: bench.process(bench.escrow, "--version"),
        "phone-check, bare": lambda name: bench.bare(program),
        "`python3 -I -S -B -c pass`": lambda name: bench.process("/usr/bin/python3", "-I", "-S", "-B", "-c", "pass"),
        "run phone-check (static, 1 row)": lambda name: run(name, one, "phone-check"),
        "run age-of-contacts (jq, 5 rows)": lambda name: run(name, five, "age-of-contacts"),
        "run places-summary (Python, 2 rows)": lambda name: run(name, two, "places-summary"),
    }
    times = {name: [] for name in cases}
    order = list(cases)
    for number in range(rounds + 1):
        for name in order:
            took = cases[name](name)
            if number:  # the first round warms the caches of files
                times[name].append(took)
        order = order[1:] + order[:1]
    base = spread(times["phone-check, bare"])[0]
    print(f"\n## Cold: each a process of its own, {rounds} rounds by turns, ms")
    table(["case", "median", "p10", "p90", "to the bare plugin"],
          [[name, *map(ms, spread(times[name])), f"{spread(times[name])[0] / base:.2f}"] for name in cases])
    print("\nParts of these runs, median ms:")
    table(["case", *PARTS],
          [[name, *(ms(statistics.median(r[part] for r in told[1:])) for part in PARTS)]
           for name, told in parts.items()])


def hosted(bench, runs):
    """Runs by one app of one `escrow host`, one after another: the walls are proved once, and processes are parked."""
    rows = []
    for home, plugin in [("one", "phone-check"), ("five", "age-of-contacts"), ("two", "places-summary")]:
        host = subprocess.Popen([bench.escrow, "host", "--stdio"], env=dict(os.environ, ESCROW_HOME=bench.path(home)),
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        host.stdout.readline()
        times = []
        for number in range(1, runs + 2):
            start = time.perf_counter()
            host.stdin.write(line({"id": number, "run": {"app": APP, "compute": plugin}}))
            host.stdin.flush()
            answer = host.stdout.readline()
            times.append((time.perf_counter() - start) * 1e3)
            if b'"result"' not in answer:
                sys.exit(f"{plugin} gave no result: {answer.decode()}")
        host.stdin.close()
        host.wait()
        rows.append([plugin, ms(times[0]), *map(ms, spread(times[1:]))])
    print(f"\n## One `escrow host`, {runs} runs one after another, ms")
    table(["case", "first run", "median of the others", "p10", "p90"], rows)


def growth(bench, title, kind, plugin, write, counts, repeats=3):
    print(f"\n## {title}, {repeats} runs each")
    rows, base = [], None
    for count in counts:
        source = bench.path(f"{kind}-{count}" + (".vcf" if kind == "contacts" else ".json"))
        write(source, count)
        home = bench.home(f"{kind}-home-{count}", kind, source)
        runs = [bench.run(home, plugin) for _ in range(repeats)]
        wall = statistics.median(run[0] for run in runs)
        host, process = ([run[2][side] for run in runs] for side in (0, 1))
        host = None if None in host else max(host)
        base = base or host
        rows.append([f"{count:,}", f"{os.path.getsize(source) / 1e6:.1f}", ms(min(r[0] for r in runs)), ms(wall),
                     ms(max(r[0] for r in runs)), f"{count / wall * 1000:,.0f}", mib(host),
                     f"{host / base:.2f}" if host else "?", mib(None if None in process else max(process))])
        os.remove(source)
    table(["rows", "file, MB", "fastest, ms", "median, ms", "slowest, ms", "rows/s", "host peak, MiB", "to the first",
           "plugin peak, MiB"], rows)


def queries(bench, counts, repeats=3):
    """What streams must need no more memory for more rows; what is sorted is bounded by refusal."""
    print(f"\n## Points, {repeats} runs each: an aggregate by escrow access, and places-summary, which reads them sorted")
    rows, base = [], None
    sql = "SELECT count(*), min(latitude), max(latitude), avg(longitude) FROM Location"
    for count in counts:
        source = bench.path(f"points-{count}.json")
        write_points(source, count)
        home = bench.home(f"points-home-{count}", "location", source)
        runs = [bench.query(home, sql) for _ in range(repeats)]
        wall, peak = statistics.median(run[0] for run in runs), max(run[1] for run in runs)
        base = base or peak
        size = f"{os.path.getsize(source) / 1e6:.1f}"
        rows.append([f"{count:,} aggregate", size, ms(wall), f"{count / wall * 1000:,.0f}", mib(peak),
                     f"{peak / base:.2f}", "-"])
        try:
            runs = [bench.run(home, "places-summary") for _ in range(repeats)]
        except Refused as refused:
            rows.append([f"{count:,} places-summary", size, "refused: " + refused.code, "-", "-", "-", "-"])
        else:
            wall = statistics.median(run[0] for run in runs)
            host, plugin = ([run[2][side] for run in runs] for side in (0, 1))
            host = None if None in host else max(host)
            rows.append([f"{count:,} places-summary", size, ms(wall), f"{count / wall * 1000:,.0f}", mib(host),
                         f"{host / base:.2f}" if host else "?", mib(None if None in plugin else max(plugin))])
        os.remove(source)
    table(["points", "file, MB", "median, ms", "rows/s", "host peak, MiB", "to the first", "plugin peak, MiB"], rows)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("escrow")
    words.add_argument("packages")
    words.add_argument("--rounds", type=int, default=20, help="rounds of the cold cases, at least 2")
    words.add_argument("--points", type=int, default=1_000_000, help="points of the largest location history")
    words = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        bench = Bench(os.path.realpath(words.escrow), os.path.realpath(words.packages), folder)
        cold(bench, max(2, words.rounds))
        hosted(bench, max(2, words.rounds))
        growth(bench, "Contacts through phone-check", "contacts", "phone-check", samples.contacts, [10_000, 100_000])
        points = [count for count in (10_000, 100_000) if count < words.points] + [words.points]
        queries(bench, points)


if __name__ == "__main__":
    main()
