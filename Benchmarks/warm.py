"""Measures warm starts: runs whose process was parked before, one by one and sustained, in the sandbox alone and through
`escrow host --stdio` with all that a run is. The rounds of the cases take turns.

    warm.py ESCROW PACKAGES SANDBOX_BENCH [--rounds N] [--runs N] [--realtime]
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
from bench import APP, HELLO, ONE_ROW, Bench, line  # noqa: E402


class Host:
    """A host that stays, on a home with one contact."""

    def __init__(self, escrow, home):
        self.process = subprocess.Popen([escrow, "host", "--stdio"], env=dict(os.environ, ESCROW_HOME=home),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.process.stdout.readline()

    def ask(self):
        self.number += 1
        self.process.stdin.write(line({"id": self.number, "run": {"app": APP, "compute": "phone-check"}}))
        self.process.stdin.flush()

    def answer(self):
        told = self.process.stdout.readline()
        if b'"result"' not in told:
            sys.exit(f"the host answered: {told.decode()}")

    def one_by_one(self, count, pause):
        took = []
        for _ in range(count):
            time.sleep(pause)
            start = time.perf_counter()
            self.ask()
            self.answer()
            took.append((time.perf_counter() - start) * 1e6)
        return took

    def sustained(self, count, at_once):
        """Runs a second, with so many under way at a time."""
        start = time.perf_counter()
        for _ in range(at_once):
            self.ask()
        for number in range(count):
            self.answer()
            if number + at_once < count:
                self.ask()
        return count / (time.perf_counter() - start)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def sandbox(words, *more):
    """The lines that sandbox-bench told, one for each run, and its summary."""
    told = subprocess.run([words.sandbox, *more], stdout=subprocess.PIPE, check=True).stdout
    lines = [json.loads(text) for text in told.splitlines()]
    return [each for each in lines if "wallUs" in each], next(each for each in lines if "perSecond" in each)


def syncs(folder, count):
    """Microseconds of overwriting 4 KiB of a file in place and waiting for the disk, as the ledger does."""
    took = []
    with open(os.path.join(folder, "sync"), "wb", buffering=0) as file:
        file.write(bytes(4096))
        os.fsync(file.fileno())
        for _ in range(count):
            start = time.perf_counter()
            os.pwrite(file.fileno(), bytes(4096), 0)
            os.fdatasync(file.fileno())
            took.append((time.perf_counter() - start) * 1e6)
    return took


def row(name, values):
    deciles = statistics.quantiles(values, n=10, method="inclusive")
    print(f"| {name} | {min(values):.0f} | {statistics.median(values):.0f} | {deciles[8]:.0f} |")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("escrow")
    words.add_argument("packages")
    words.add_argument("sandbox", metavar="SANDBOX_BENCH")
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--runs", type=int, default=200, help="in each round of each case, at least 10")
    words.add_argument("--realtime", action="store_true", help="at real-time priority, for a machine that others use")
    words = words.parse_args()
    runs = max(10, words.runs)
    if words.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(5))  # passed on to all that is started here
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        bench = Bench(words.escrow, words.packages, folder)
        echo = os.path.join(folder, "echo")
        source = os.path.join(HERE, "..", "Tests", "Probes", "echo.c")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-static", "-o", echo, source], check=True)
        with tarfile.open(os.path.join(words.packages, "phone-check.escrow")) as package:
            member = next(m for m in package.getmembers() if m.name.endswith("/phone-check"))
            phone = os.path.join(folder, "phone-check")
            with open(phone, "wb") as out:
                out.write(package.extractfile(member).read())
        talk = os.path.join(folder, "talk")
        with open(talk, "wb") as out:
            out.write(line(HELLO) + line({"batch": {"rows": 1, "bytes": len(ONE_ROW), "more": False}}) + ONE_ROW)
        card = os.path.join(folder, "one.vcf")
        with open(card, "w", newline="\r\n") as out:
            out.write("BEGIN:VCARD\nVERSION:3.0\nN:A;B;;;\nFN:B A\nUID:u1\nTEL:(312) 555-0101\nEND:VCARD\n")
        host = Host(words.escrow, bench.home("home", "contacts", card))
        host.one_by_one(3, 0.01)

        times, rates, used = {}, {}, {}
        # Between two runs there is time to park the next: what one run takes. Sustained, there is none.
        paced = ["--pause", "5000"]
        for _ in range(words.rounds):
            for name, program, more in [("C", echo, []), ("phone-check", phone, ["--input", talk])]:
                for how in ["cold", "warm"]:
                    each, told = sandbox(words, how, program, str(runs), *more, *paced)
                    times.setdefault(f"{name}, {how}", []).extend(told["wallUs"] for told in each)
                    _, told = sandbox(words, how, program, str(5 * runs), *more, "--threads", "4")
                    rates.setdefault(f"{name}, {how}", []).append(told["perSecond"])
                    used.setdefault(f"{name}, {how}", []).append(told["cpuUsPerRun"])
            times.setdefault("phone-check by `escrow host`", []).extend(host.one_by_one(runs, 0.005))
            times.setdefault("4 KiB made durable", []).extend(syncs(folder, runs))
            for at_once in [1, 4, 16]:
                name = f"phone-check by `escrow host`, {at_once} at once"
                rates.setdefault(name, []).append(host.sustained(2 * runs, at_once))
        host.end()

    print(f"\n## Warm starts, {words.rounds} rounds of {runs} runs of one row, microseconds"
          f"{', at real-time priority' if words.realtime else ''}\n")
    print(f"Linux {os.uname().release}, {os.cpu_count()} processors, {'root' if os.geteuid() == 0 else 'an ordinary user'}\n")
    print("| one run, from the request until it is reaped | least | median | p90 |\n|---|--:|--:|--:|")
    for name, values in times.items():
        row(name, values)
    print("\n| sustained, new processes made meanwhile | runs a second, median | best | processor time a run, us |\n"
          "|---|--:|--:|--:|")
    for name, values in rates.items():
        cpu = f"{min(used[name])}" if name in used else "-"
        print(f"| {name} | {statistics.median(values):.0f} | {max(values):.0f} | {cpu} |")


if __name__ == "__main__":
    main()
