"""Measures what a change costs a launch: two builds of sandbox-bench, the one before and the one after, run by turns, a run each,
so that a slow moment hits both. The programs are a small static one, a large static one and a script.

    turns.py BEFORE AFTER PACKAGES [--runs N] [--pause MILLISECONDS]

BEFORE and AFTER are builds of sandbox-bench.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from bench import HELLO, ONE_ROW, line  # noqa: E402

SCRIPT = "print(sum(letter.isdigit() for letter in input()))\n"


class Side:
    """A sandbox-bench that does a run for each line it is sent."""

    def __init__(self, program, how, image, more):
        self.process = subprocess.Popen([program, how, image, "1", "--pace", "stdin", *more],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        if self.process.wait() != 0:
            sys.exit("a sandbox-bench failed")


def middle(values):
    return statistics.median(values)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("before")
    words.add_argument("after")
    words.add_argument("packages")
    words.add_argument("--runs", type=int, default=100)
    words.add_argument("--pause", type=float, default=20, help="milliseconds between two runs")
    words = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        small = os.path.join(folder, "echo")
        source = os.path.join(HERE, "..", "Tests", "Probes", "echo.c")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-static", "-o", small, source], check=True)
        large, talk, script = (os.path.join(folder, name) for name in ["phone-check", "talk", "script"])
        with tarfile.open(os.path.join(words.packages, "phone-check.escrow")) as package:
            member = next(m for m in package.getmembers() if m.name.endswith("/phone-check"))
            with open(large, "wb") as out:
                out.write(package.extractfile(member).read())
        with open(talk, "wb") as out:
            out.write(line(HELLO) + line({"batch": {"rows": 1, "bytes": len(ONE_ROW), "more": False}}) + ONE_ROW)
        with open(script, "w") as out:
            out.write(SCRIPT)
        print(f"{words.runs} runs each by turns, {words.pause:g} ms between two, medians in microseconds, "
              f"{'root' if os.geteuid() == 0 else 'an ordinary user'}\n")
        print("| program | until | before | after | ratio |\n|---|---|--:|--:|--:|")
        for name, image, more in [("a small static program", small, []), ("phone-check", large, ["--input", talk]),
                                  ("a Python script", script, ["--interpreter", "python3"])]:
            for how in ["cold", "warm"]:
                sides = [Side(program, how, image, more) for program in [words.before, words.after]]
                took = [[], []]
                for turn in range(words.runs + 3):
                    for at in [0, 1] if turn % 2 else [1, 0]:
                        time.sleep(words.pause / 1000)
                        each = sides[at].run()
                        if turn >= 3:
                            took[at].append(each)
                for side in sides:
                    side.end()
                for until, figure in [("its first byte", "firstByteUs"), ("it is reaped", "wallUs")]:
                    before, after = ([each[figure] for each in side] for side in took)
                    ratio = middle([b / a for a, b in zip(before, after)])
                    print(f"| {name}, {how} | {until} | {middle(before):.0f} | {middle(after):.0f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
