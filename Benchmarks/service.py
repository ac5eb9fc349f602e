"""Measures runs through the service, as an app sees them: HTTP over the Unix socket, one row each, with the two records of the
ledger; then the service alone, while nobody asks.

    service.py ESCROW PACKAGES [--rounds N] [--runs N] [--uses] [--small] [--service PROGRAM] [--realtime]
"""

import argparse
import json
import os
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from bench import APP, Bench  # noqa: E402


class Service:
    """A service on a home with one contact, and connections to it that stay."""

    def __init__(self, program, home, plugin):
        self.folder = tempfile.TemporaryDirectory(prefix="svc")
        os.chmod(self.folder.name, 0o700)
        self.process = subprocess.Popen([program, "--home", home, "--runtime", self.folder.name],
                                        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.process.stderr.readline()
        body = json.dumps({"app": APP, "compute": plugin})
        self.request = (f"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
        self.lines = [self.connect() for _ in range(16)]

    def connect(self):
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.folder.name + "/service.sock")
        return line

    def one_by_one(self, count, pause):
        took = []
        for _ in range(count):
            time.sleep(pause)
            start = time.perf_counter()
            self.lines[0].sendall(self.request)
            answer(self.lines[0])
            took.append((time.perf_counter() - start) * 1e6)
        return took

    def sustained(self, count, at_once):
        """Runs a second, with so many under way at a time, and the processor time of the service and its plugins for one, in us."""
        before, start = self.used(), time.perf_counter()
        with selectors.DefaultSelector() as ready:
            for line in self.lines[:at_once]:
                ready.register(line, selectors.EVENT_READ)
                line.sendall(self.request)
            sent, done = at_once, 0
            while done < count:
                for key, _ in ready.select():
                    answer(key.fileobj)
                    done += 1
                    if sent < count:
                        key.fileobj.sendall(self.request)
                        sent += 1
        took = time.perf_counter() - start
        return count / took, (self.used() - before) / count * 1e6

    def used(self):
        """Processor time of the service and of its processes that ended, in seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    def wakes(self):
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/status") as file:
                total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
        return total

    def end(self):
        for line in self.lines:
            line.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def small(bench, home):
    """Packs, installs and allows the plugin that `escrow plugin new` makes for C: a static program of 0.8 MB."""
    publisher, folder = os.path.join(bench.packages, "publisher"), os.path.join(bench.folder, "count")
    subprocess.run([os.path.abspath(bench.escrow), "plugin", "new", "count", "--language", "c"], cwd=bench.folder, check=True,
                   env=dict(os.environ, ESCROW_HOME=publisher), capture_output=True)
    bench.call(publisher, "plugin", "pack", folder, "--key", "samples", "--output", folder + ".escrow")
    bench.call(home, "plugin", "install", folder + ".escrow", "--yes")
    bench.call(home, "grant", "allow", "--app", APP, "--plugin", "count")


def answer(line):
    """Reads one answer, whole."""
    told = b""
    while b"\r\n\r\n" not in told:
        told += line.recv(65536)
    head, _, body = told.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        sys.exit(f"the service answered: {told.decode()}")
    length = next(int(text.split(b":")[1]) for text in head.lower().split(b"\r\n") if text.startswith(b"content-length:"))
    while len(body) < length:
        body += line.recv(65536)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("escrow")
    words.add_argument("packages")
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--runs", type=int, default=200, help="in each round of each case, at least 10")
    words.add_argument("--uses", action="store_true", help="by a grant for so many runs, each of which is durable")
    words.add_argument("--small", action="store_true", help="a plugin of 0.8 MB in place of phone-check, 7 MB")
    words.add_argument("--service", help="another escrow-service than the one beside escrow")
    words.add_argument("--realtime", action="store_true", help="at real-time priority, for a machine that others use")
    words = words.parse_args()
    runs = max(10, words.runs)
    if words.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(5))  # passed on to all that is started here
    program = words.service or os.path.join(os.path.dirname(os.path.abspath(words.escrow)), "escrow-service")
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        bench = Bench(words.escrow, words.packages, folder)
        card = os.path.join(folder, "one.vcf")
        with open(card, "w", newline="\r\n") as out:
            out.write("BEGIN:VCARD\nVERSION:3.0\nN:A;B;;;\nFN:B A\nUID:u1\nTEL:(312) 555-0101\nEND:VCARD\n")
        home = bench.home("home", "contacts", card)
        plugin = "count" if words.small else "phone-check"
        if words.small:
            small(bench, home)
        if words.uses:
            bench.call(home, "grant", "reset", "--app", APP)
            bench.call(home, "grant", "allow", "--app", APP, "--plugin", plugin, "--runs", "1000000")
        service = Service(program, home, plugin)
        idle = service.status("VmRSS")
        service.one_by_one(5, 0.01)
        times, rates, used = [], {}, {}
        for _ in range(words.rounds):
            times += service.one_by_one(runs, 0.005)
            for at_once in [1, 4, 16]:
                rate, cost = service.sustained(2 * runs, at_once)
                rates.setdefault(at_once, []).append(rate)
                used.setdefault(at_once, []).append(cost)
        time.sleep(2)  # threads whose work is done end after one
        before, seconds = service.wakes(), 10
        time.sleep(seconds)
        wakes = service.wakes() - before
        after = service.status("VmRSS")
        service.end()
    deciles = statistics.quantiles(times, n=10, method="inclusive")
    print(f"\n## Through the service, {words.rounds} rounds of {runs} runs of one row"
          f"{', each use durable' if words.uses else ''}{', at real-time priority' if words.realtime else ''}\n")
    print(f"Linux {os.uname().release}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}\n")
    print("| one run, us | least | p10 | median | p90 |\n|---|--:|--:|--:|--:|")
    print(f"| {plugin}, warm, 5 ms between two | {min(times):.0f} | {deciles[0]:.0f} | {statistics.median(times):.0f} | "
          f"{deciles[8]:.0f} |")
    print("\n| in flight | runs a second, median | best | processor time a run, us |\n|---|--:|--:|--:|")
    for at_once in rates:
        print(f"| {at_once} | {statistics.median(rates[at_once]):.0f} | {max(rates[at_once]):.0f} | "
              f"{min(used[at_once]):.0f} |")
    print(f"\n| while nobody asks | |\n|---|--:|\n| resident, before the first run | {idle / 1024:.1f} MiB |\n"
          f"| resident, after {words.rounds * 7 * runs} runs | {after / 1024:.1f} MiB |\n"
          f"| switches of its threads in {seconds} s | {wakes} |")


if __name__ == "__main__":
    main()
