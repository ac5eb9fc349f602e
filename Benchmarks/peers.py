"""Other readers of the same files beside escrow's: contacts, tracks, location history, photos.

    peers.py ESCROW OVERHEAD_BENCH [--rounds N] [--quick] [--pages FOLDER]
"""

import argparse
import json
import os
import re
import shutil
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
from homes import Homes  # noqa: E402

BOX = "SELECT count(*), min(latitude), max(latitude), min(longitude), max(longitude) FROM Location"
NEWEST = "SELECT latitude, longitude FROM Location ORDER BY timestamp DESC LIMIT 1"
# name → kind of source, ending, rows, how it is made, peers, questions with their SQL
FILES = {
    "contacts, vCard": ("contacts", ".vcf", 5_000, samples.contacts, ["vobject"], {
        "all": "SELECT count(*), sum(length(givenName) + length(familyName) + length(phoneNumber)) FROM Contacts",
        "one": "SELECT phoneNumber FROM Contacts WHERE familyName = 'Last77'"}),
    "track, GPX": ("location", ".gpx", 20_000, samples.track, ["gpxpy"], {"all": BOX, "newest": NEWEST}),
    "location history, JSON": ("location", ".json", 100_000, write_points, ["json", "duckdb"], {
        "all": BOX, "newest": NEWEST}),
    "photos, JPEG with EXIF": ("photos", "", 2_000, samples.photos, ["exifread", "exiftool"], {
        "all": "SELECT count(*), count(latitude), max(creationDate) FROM Photos",
        "newest": "SELECT filename FROM Photos ORDER BY creationDate DESC, filename DESC LIMIT 1"}),
}
QUESTIONS = {"all": "every row", "one": "one of them", "newest": "the newest"}
NAMES = {"vobject": "Python, vobject", "gpxpy": "Python, gpxpy", "json": "Python, json", "duckdb": "DuckDB",
         "exifread": "Python, exifread", "exiftool": "exiftool"}


def plain(answer):
    """An answer so that spellings do not matter: seven digits of a coordinate, digits of a moment."""
    return [round(value, 6) if isinstance(value, float) else re.sub(r"\D", "", value)[:14]
            if isinstance(value, str) and re.match(r"\d{4}[-:]\d\d", value) else value for value in answer]


class Worker:
    """A process that stays and answers a line with a line of JSON."""

    def __init__(self, *words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        told = json.loads(self.process.stdout.readline())
        return told["ms"], told["answer"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class ExifTool:
    """exiftool answers with its tags; what is added up from them is not counted."""

    TAGS = ["-fast2", "-n", "-T", "-r", "-FileName", "-DateTimeOriginal", "-GPSLatitude"]

    def __init__(self):
        self.process = subprocess.Popen(["exiftool", "-stay_open", "True", "-@", "-"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    @staticmethod
    def answer(question, told):
        rows = [line.split("\t") for line in told.splitlines() if "\t" in line]
        taken, name = max((row[1], row[0]) for row in rows)
        return [name] if question == "newest" else [len(rows), sum(row[2] != "-" for row in rows), taken]

    def ask(self, line):
        question, path = line.split()
        start = time.perf_counter()
        # -T implies -q, and with it exiftool's own word that it is done.
        self.process.stdin.write("\n".join([*self.TAGS, path, "-echo3", "{ready}", "-execute", ""]))
        self.process.stdin.flush()
        told = ""
        for text in self.process.stdout:
            if text.startswith("{ready"):
                break
            told += text
        return (time.perf_counter() - start) * 1e3, self.answer(question, told)

    def end(self):
        self.process.stdin.write("-stay_open\nFalse\n")
        self.process.stdin.close()
        self.process.wait()

    @classmethod
    def whole(cls, question, path):
        start = time.perf_counter()
        done = subprocess.run(["exiftool", *cls.TAGS, path], stdout=subprocess.PIPE, text=True, check=True)
        return (time.perf_counter() - start) * 1e3, cls.answer(question, done.stdout)


def present(peer):
    """Whether a peer is on this machine; says so if not."""
    if peer == "exiftool":
        found = shutil.which(peer)
    else:
        found = peer == "json" or subprocess.run([sys.executable, "-EsB", "-c", f"import {peer}"],
                                                 stderr=subprocess.DEVNULL).returncode == 0
    if not found:
        print(f"SKIP: {peer} is missing; scripts/packages bench installs it", file=sys.stderr)
    return found


def measure(words, homes, name):
    """question → reader → {"whole": [ms], "query": [ms]}; ends the part if two readers answer differently."""
    kind, ending, rows, make, peers, questions = FILES[name]
    rows = max(rows // 20, 200) if words.quick else rows
    source, stem = homes.path(f"{kind}-{rows}{ending}"), re.sub(r"\W+", "-", name)
    make(source, rows)
    if kind == "photos":
        time.sleep(3.1)  # what changed within two seconds, counted in whole ones, is not kept
    home, kept = homes.make("home-" + stem, kind, source), homes.path("kept-" + stem)
    os.makedirs(kept)
    peers = [peer for peer in peers if present(peer)]
    reader = [sys.executable, "-EsB", os.path.join(HERE, "peers", "readers.py")]
    workers = {peer: ExifTool() if peer == "exiftool" else Worker(*reader, peer) for peer in peers}
    ours = Worker(words.bench, "query", kind, source, kept)

    def whole(words_, parse):
        start = time.perf_counter()
        done = subprocess.run(words_, env=dict(os.environ, ESCROW_HOME=home), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, check=True)
        took = (time.perf_counter() - start) * 1e3
        return took, parse(done.stdout)

    def escrow(question):
        return whole([homes.escrow, "access", questions[question], "--rows", "--format", "json"],
                     lambda told: json.loads(told.splitlines()[0]))

    def unkept(question):
        shutil.rmtree(os.path.join(home, "index"), ignore_errors=True)
        return escrow(question)

    cases = {("escrow", "whole"): escrow, ("escrow", "query"): lambda question: ours.ask(questions[question])}
    if kind == "photos":
        # Before the one with what was kept: that one finds what this one leaves.
        cases = {("escrow, nothing kept", "whole"): unkept, **cases}
    for peer in peers:
        if peer == "exiftool":
            cases[NAMES[peer], "whole"] = lambda question: ExifTool.whole(question, source)
        else:
            cases[NAMES[peer], "whole"] = lambda question, peer=peer: whole(
                [*reader, peer, question, source], lambda told: json.loads(told)["answer"])
        cases[NAMES[peer], "query"] = lambda question, peer=peer: workers[peer].ask(f"{question} {source}")
    told = {question: {} for question in questions}
    try:
        for number in range(words.rounds + 1):
            for question in questions:
                expected = None
                for (case, what), ask in cases.items():
                    took, answer = ask(question)
                    expected = expected or plain(answer)
                    if plain(answer) != expected:
                        raise RuntimeError(f"{name}, {question}: {case} answered {answer}, not {expected}")
                    list_ = told[question].setdefault(case, {}).setdefault(what, [])
                    if number:
                        list_.append(took)
    finally:
        for worker in [ours, *workers.values()]:
            worker.end()
    return rows, os.path.getsize(source) / 1e6 if ending else None, told


def verdict(cases, what):
    """escrow's median to that of the fastest other."""
    own = statistics.median(cases["escrow"][what])
    others = {case: statistics.median(times[what]) for case, times in cases.items()
              if not case.startswith("escrow") and what in times}
    if not others:
        return "-"
    fastest = min(others, key=others.get)
    return f"{others[fastest] / own:.1f} times {fastest}" if own < others[fastest] else \
        f"**behind {fastest}: {own / others[fastest]:.2f}**"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("escrow")
    parser.add_argument("bench")
    words = report.options(parser, rounds=10)
    page = report.Page("peers", "Other readers of the same files", words.pages)
    page.text(
        f"The same questions to the same files, and the same answers, or there would be no page. {words.rounds} rounds by turns "
        "after one that is not told; milliseconds, median, and in brackets the lowest and highest tenth. *Whole* is a process "
        "of its own, from its start to its end: for escrow `escrow access`, which opens the home and prepares the query "
        "under its walls; for Python the interpreter, the library and a script of a few lines. *Query* is the same in a "
        "process that stays, its libraries loaded: for exiftool `-stay_open`. The scripts are `Benchmarks/peers/readers.py`: "
        "vobject reads the cards one by one; gpxpy parses the file; exifread leaves out maker notes and thumbnails; exiftool "
        "runs with `-fast2` and prints three tags, which are added up off the clock; DuckDB is told the columns, so that it "
        "samples nothing and reads no column that is not asked for. DuckDB without an extension reads no vCard, GPX or EXIF, "
        "and osquery has no table over any of these files, so neither is in the other lists. Goal: ahead of all of them.")
    told = {}
    with tempfile.TemporaryDirectory(prefix="escrow-peers-") as folder:
        homes = Homes(words.escrow, ".", folder)
        for name in FILES:
            rows, megabytes, questions = measure(words, homes, name)
            told[name] = questions
            page.text(f"## {name}: {rows:,}" + (f", {megabytes:.1f} MB" if megabytes else ""))
            page.table(
                ["question", "reader", "whole", "query"],
                [[QUESTIONS[question], case, *(report.spread(times.get(what, [])) for what in ("whole", "query"))]
                 for question, cases in questions.items() for case, times in cases.items()])
            page.text("Ahead, whole and query alone: " + "; ".join(
                f"{QUESTIONS[question]} {verdict(cases, 'whole')}, {verdict(cases, 'query')}"
                for question, cases in questions.items()) + ".")
    plot(page, told)
    page.text(
        "A whole process of escrow begins with its start, which does not grow with the file: the home, its key and its ledger are "
        "opened and the query's columns proved before a byte is read. The parts of a start are in "
        "[performance.md](../performance.md).")
    page.write()


def plot(page, told):
    pyplot = report.plotting()
    if not pyplot:
        return
    figure, panels = pyplot.subplots(1, len(told), figsize=(3.4 * len(told), 3))
    for panel, (name, questions) in zip(panels, told.items()):
        cases = list(next(iter(questions.values())))
        for at, (question, times) in enumerate(questions.items()):
            for what, shade in (("whole", 1.0), ("query", 0.5)):
                places = [index + 0.4 * at + (0.18 if what == "query" else 0) for index in range(len(cases))]
                values = [statistics.median(times[case][what]) if times[case].get(what) else 0 for case in cases]
                panel.bar(places, values, 0.16, color=f"C{at}", alpha=shade, label=f"{QUESTIONS[question]}, {what}")
        panel.set_xticks(range(len(cases)), [case.replace(", ", ",\n") for case in cases], fontsize=7)
        panel.set(title=name, yscale="log")
        panel.grid(True, axis="y", linewidth=0.3)
        panel.legend(fontsize=6)
    panels[0].set_ylabel("ms")
    page.figure(figure, "Milliseconds of each reader, whole process and query alone")


if __name__ == "__main__":
    main()
