"""Measures how much a plugin can tell an app, or another plugin, past its result: by the time that a run takes, and by the
load that it puts on the processors. The plugin is channels/whisper.c.

    channels.py ESCROW [--runs N] [--realtime]

What was sent is decoded with what was learned from every other run. Bits are a lower bound: what Fano's inequality gives
for that share of right answers, log2 M - h(e) - e log2(M - 1) for M levels and the share e of wrong ones.
"""

import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "channels")
APP = "org.example.bench"
LEVELS = 16
STEPS = [500, 1000, 2000, 5000, 20_000]  # microseconds between two levels
SLOTS = 256
SLOT_LENGTHS = [20_000, 50_000]  # microseconds
SEED = 20261121


class Home:
    """A home with the plugin, its grant, and contacts that hold the secrets."""

    def __init__(self, escrow, folder):
        self.escrow, self.folder = escrow, folder
        pick = random.Random(SEED)
        self.secrets = {f"w{level}": str(level) for level in range(LEVELS)}
        self.secrets["bits"] = "".join(pick.choice("01") for _ in range(SLOTS))
        self.secrets["slots"] = "0" * SLOTS
        cards = "".join(f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{uid}\r\nN:Secret;{value};;;\r\nFN:Secret\r\nEND:VCARD\r\n"
                        for uid, value in self.secrets.items())
        with open(os.path.join(folder, "cards.vcf"), "w", newline="") as out:
            out.write(cards)
        source = os.path.join(folder, "whisper")
        shutil.copytree(HERE, source)
        with open(os.path.join(source, "plugin.json")) as file:
            manifest = json.load(file)
        platform = "linux-" + os.uname().machine
        manifest["artifacts"] = [{"platform": platform, "path": f"bin/{platform}/whisper", "linkage": "static"}]
        with open(os.path.join(source, "plugin.json"), "w") as out:
            json.dump(manifest, out, indent=2)
        package = os.path.join(folder, "whisper.escrow")
        self.call("init")
        self.call("source", "add", "contacts", os.path.join(folder, "cards.vcf"))
        self.call("key", "new", "bench")
        key = json.loads(self.call("key", "list", "--format", "json"))["keys"][0]["publicKey"]
        self.call("trust", "add", "org.escrow.bench.*", key, "--name", "bench")
        self.call("plugin", "pack", source, "--key", "bench", "--output", package)
        self.call("plugin", "install", package, "--yes")
        self.call("grant", "allow", "--app", APP, "--plugin", "whisper")

    def environment(self):
        return dict(os.environ, ESCROW_HOME=os.path.join(self.folder, "home"))

    def call(self, *words):
        done = subprocess.run([self.escrow, *words], env=self.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"escrow {' '.join(words[:2])} ended with {done.returncode}:\n{done.stderr}")
        return done.stdout


class App:
    """An app beside its host, `escrow host --stdio`."""

    def __init__(self, home):
        self.process = subprocess.Popen([home.escrow, "host", "--stdio"], env=home.environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.last = 0

    def send(self, **arguments):
        self.last += 1
        request = {"id": self.last, "run": {"app": APP, "compute": "whisper", "arguments": arguments}}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.last

    def answer(self):
        told = json.loads(self.process.stdout.readline())
        if "result" not in told:
            sys.exit(f"a run gave no result: {told}")
        return told["id"], told["result"]["value"]["seen"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def bits(pairs, levels):
    """At least so many bits of what was sent are in what was heard (Fano), all levels being sent equally often."""
    wrong = sum(sent != heard for sent, heard in pairs) / len(pairs)
    if wrong >= 1 - 1 / levels:
        return 0.0
    doubt = -sum(p * math.log2(p) for p in (wrong, 1 - wrong) if p > 0)
    return math.log2(levels) - doubt - wrong * math.log2(levels - 1)


def right(pairs):
    return f"{sum(sent == heard for sent, heard in pairs) / len(pairs):.0%}"


def decoded(samples):
    """Pairs of what was sent and what was heard, for every other sample: the level whose median in the rest is nearest."""
    learn, use = samples[0::2], samples[1::2]
    centers = {level: statistics.median(took for sent, took in learn if sent == level) for level in {s for s, _ in learn}}
    return [(sent, min(centers, key=lambda level: abs(centers[level] - took))) for sent, took in use]


def times(home, runs):
    """How long a run took, as its app sees it."""
    app, pick = App(home), random.Random(SEED)
    rows = []
    for step in STEPS:
        samples = []
        for _ in range(runs):  # every level equally often, in a random order
            for level in pick.sample(range(LEVELS), LEVELS):
                begin = time.perf_counter()
                app.send(who=f"w{level}", role="wait", step=step)
                app.answer()
                samples.append((level, (time.perf_counter() - begin) * 1e6))
        pairs = decoded(samples)
        mean = statistics.mean(took for _, took in samples) / 1e6
        rows.append([f"{step / 1000:g}", f"{statistics.median(t for level, t in samples if level == 0) / 1000:.1f}",
                     right(pairs), f"{bits(pairs, LEVELS):.2f}", f"{bits(pairs, LEVELS) / mean:.0f}"])
    app.end()
    print(f"\n## What a plugin can tell an app by the time that it takes: {LEVELS} levels (4 bits), {runs} runs each\n")
    table(["step, ms", "run of level 0, ms", "decoded right", "bits a run", "bits a second"], rows)


def load(home):
    """What a plugin can tell another by keeping the processors busy."""
    app, rows = App(home), []
    senders = os.cpu_count()
    for length in SLOT_LENGTHS:
        start = int(time.time() * 1e6) + 400_000
        for _ in range(senders):
            app.send(who="bits", role="busy", start=start, step=length)
        listener = app.send(who="slots", role="listen", start=start, step=length)
        seen = {}
        for _ in range(senders + 1):
            number, value = app.answer()
            seen[number] = value
        sent = [int(bit) for bit in home.secrets["bits"]]
        counts = seen[listener]
        if len(counts) != len(sent):
            sys.exit("the listener lost slots")
        pairs = decoded(list(zip(sent, counts)))
        rows.append([f"{length / 1000:g}", right(pairs), f"{bits(pairs, 2):.2f}", f"{bits(pairs, 2) / length * 1e6:.0f}"])
    app.end()
    print(f"\n## What a plugin can tell another that runs beside it, by load: {senders} senders, {SLOTS} slots\n")
    table(["slot, ms", "decoded right", "bits a slot", "bits a second"], rows)


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "--:|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("escrow")
    words.add_argument("--runs", type=int, default=20, help="of each level, at least 4")
    words.add_argument("--realtime", action="store_true",
                       help="times at real-time priority, for a machine that others use")
    words = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        home = Home(os.path.realpath(words.escrow), folder)
        load(home)
        if words.realtime:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))  # passed on to the host and the plugin
        times(home, max(4, words.runs))


if __name__ == "__main__":
    main()
