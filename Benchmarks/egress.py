"""Measures what a request of a plugin costs, beside curl and AsyncHTTPClient, on loopback with TLS to one nginx. The cases
take turns, round by round, so that a slow minute hits all of them.

    egress.py ESCROW EGRESS_BENCH [--rounds N] [--turn N] [--masks] [--realtime]
"""

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
from bench import APP, spread, table, write_points  # noqa: E402

NAME, FAR = "api.openweathermap.org", "far.openweathermap.org"
ROUND_TRIP_MS = 50
TARGET = "/data/2.5/weather?lat=60.37&lon=5.27&units=metric&appid=" + "0" * 32
HEADERS = ["user-agent: escrow", "accept: application/json", "accept-encoding: gzip"]
# Where `scripts/packages bench` unpacks what it does not install.
PATH = ":".join([os.environ.get("PATH", ""), "/usr/sbin", os.path.join(HERE, "../.build/peers/nginx/usr/sbin")])
COLD = {"curl, a process each": None, "AsyncHTTPClient": "clientCold", "transport alone": "transportCold",
        "mediated fetch": "deskCold"}
KEPT = {"curl, one process": None, "AsyncHTTPClient": "clientKept", "transport alone": "transportKept",
        "mediated fetch": "deskKept"}
PARTS = {"template filled in, bytes spelled": "fill", "mediator, no grants, no ledger": "mediator",
         "two records in the ledger": "records", "mediator, grants and ledger, answered at once": "desk",
         "a TLS context with the system's authorities": "context", "an HTTP client made and closed": "client"}


class Server:
    """nginx with one worker: a fixed answer of the real one's shape and size."""

    def __init__(self, folder):
        pem, key = os.path.join(folder, "server.pem"), os.path.join(folder, "server.key")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                        "7", "-subj", "/CN=escrow bench", "-addext", f"subjectAltName=DNS:{NAME},DNS:{FAR}", "-keyout", key, "-out",
                        pem], check=True, capture_output=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        answer = json.dumps({"coord": {"lon": 5.27, "lat": 60.37}, "weather": [{"id": 500, "main": "Rain"}],
                             "main": {"temp": 5.9, "humidity": 87}, "pad": "x" * 300})
        places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in
                         ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        with open(os.path.join(folder, "nginx.conf"), "w") as file:
            file.write(f"""daemon off; {user} worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off; {places} default_type application/json; keepalive_requests 10000000; keepalive_timeout 600s;
    server {{
        listen 127.0.0.1:{self.port} ssl; ssl_certificate {pem}; ssl_certificate_key {key}; ssl_session_tickets off;
        location / {{ return 200 '{answer}'; }}
    }}
}}
""")
        self.roots = pem
        self.process = subprocess.Popen([shutil.which("nginx", path=PATH), "-e", f"{folder}/error.log", "-p", folder, "-c",
                                         f"{folder}/nginx.conf"])
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    sys.exit("nginx does not start: " + open(f"{folder}/error.log").read())
                time.sleep(0.01)

    def end(self):
        self.process.terminate()
        self.process.wait()


class Distance:
    """A way to the server on which each piece takes as long as over a network: half of a round trip in each direction."""

    def __init__(self, port, round_trip_ms):
        self.port, self.half = port, round_trip_ms / 2000
        self.ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        self.ready.wait()

    async def serve(self):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.listens = server.sockets[0].getsockname()[1]
        self.ready.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        there = await asyncio.open_connection("127.0.0.1", self.port)
        await asyncio.gather(self.pump(reader, there[1]), self.pump(there[0], writer), return_exceptions=True)

    async def pump(self, reader, writer):
        loop = asyncio.get_running_loop()
        while piece := await reader.read(65536):
            loop.call_later(self.half, writer.write, piece)
        loop.call_later(self.half, writer.close)


class Home:
    """A home that leads the name to the server, with the plugin that asks."""

    def __init__(self, escrow, folder, server, far):
        self.escrow, self.folder, self.path = escrow, folder, os.path.join(folder, "home")
        points, source = os.path.join(folder, "points.json"), os.path.join(folder, "asker")
        write_points(points, 1)
        shutil.copytree(os.path.join(HERE, "egress"), source)
        self.manifest = os.path.join(source, "plugin.json")
        with open(self.manifest) as file:
            manifest = json.load(file)
        platform = "linux-" + os.uname().machine
        manifest["artifacts"] = [{"platform": platform, "path": f"bin/{platform}/asker", "linkage": "static"}]
        with open(self.manifest, "w") as out:
            json.dump(manifest, out)
        self.call("init")
        with open(os.path.join(self.path, "config.json"), "w") as out:
            json.dump({"egress": {"standIns": {NAME: {"port": server.port}, FAR: {"port": far.listens}},
                                  "trustRoots": server.roots}}, out)
        self.call("source", "add", "location", points)
        self.call("key", "new", "bench")
        key = json.loads(self.call("key", "list", "--format", "json"))["keys"][0]["publicKey"]
        self.call("trust", "add", "org.escrow.bench.*", key, "--name", "bench")
        package = os.path.join(folder, "asker.escrow")
        self.call("plugin", "pack", source, "--key", "bench", "--output", package)
        self.call("plugin", "install", package, "--yes")
        self.call("grant", "allow", "--app", APP, "--plugin", "asker")

    def start(self, *words):
        return subprocess.Popen([self.escrow, *words], env=dict(os.environ, ESCROW_HOME=self.path),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def call(self, *words):
        process = self.start(*words)
        told, words_ = process.communicate()
        if process.returncode:
            sys.exit(f"escrow {' '.join(words[:2])} ended with {process.returncode}:\n{words_}")
        return told

    def runs(self, at_once, calls):
        """Seconds of so many runs at the same time, each with so many requests."""
        start = time.perf_counter()
        runs = [self.start("run", "asker", "--app", APP, "--quiet", "--format", "json", "--param", f"calls={calls}")
                for _ in range(at_once)]
        for process in runs:
            told, words = process.communicate()
            if process.returncode or json.loads(told) != {"answered": calls}:
                sys.exit(f"a run ended with {process.returncode}: {told}{words}")
        return time.perf_counter() - start


class Bench:
    """egress-bench, one process for all its cases."""

    def __init__(self, program, home):
        self.process = subprocess.Popen([program, home.path, APP, "asker", "place", '{"lat":60.37,"lon":5.27}', home.manifest],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, case, count, threads=1, endpoint=""):
        self.process.stdin.write(f"{case} {count} {threads} {endpoint}\n")
        self.process.stdin.flush()
        told = self.process.stdout.readline()
        if not told:
            sys.exit(f"egress-bench ended at {case}")
        return json.loads(told)

    def turn(self, case, count, endpoint=""):
        """Microseconds of each, and of processor time for one."""
        told = self.ask(case, count, 1, endpoint)
        return [tenths / 10 for tenths in told["tenthsUs"]], told["cpuUs"] / count

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Curl:
    def __init__(self, server):
        url = f"https://{NAME}:{server.port}{TARGET}"
        self.words = ["curl", "--silent", "--fail", "--http1.1", "--cacert", server.roots, "--resolve",
                      f"{NAME}:{server.port}:127.0.0.1", *(word for header in HEADERS for word in ("-H", header))]
        self.url = ["--output", "/dev/null", url]

    def cold(self, count):
        took = []
        used = os.times()
        for _ in range(count):
            start = time.perf_counter()
            subprocess.run([*self.words, *self.url], check=True)
            took.append((time.perf_counter() - start) * 1e6)
        after = os.times()
        cpu = after.children_user + after.children_system - used.children_user - used.children_system
        return took, cpu * 1e6 / count

    def kept(self, count):
        """curl's own time of each request after the first."""
        used = os.times()
        told = subprocess.run([*self.words, "-w", "%{time_total}\n", *self.url * (count + 1)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        after = os.times()
        cpu = after.children_user + after.children_system - used.children_user - used.children_system
        return [float(seconds) * 1e6 for seconds in told.split()[1:]], cpu * 1e6 / count


def beside(title, cases, act, rounds, base):
    """The cases by turns."""
    turns, order = {name: [] for name in cases}, list(cases)
    for number in range(rounds + 1):
        for name in order:
            turn = act(name)
            if number:  # the first round warms caches
                turns[name].append(turn)
        order = order[1:] + order[:1]
    rows = []
    for name in cases:
        median, p10, p90 = spread([took for turn in turns[name] for took in turn[0]])
        ratio = statistics.median(statistics.median(a[0]) / statistics.median(b[0])
                                  for a, b in zip(turns[name], turns[base]))
        cpu = statistics.median(turn[1] for turn in turns[name])
        rows.append([name, *(f"{us:.0f}" if us >= 100 else f"{us:.1f}" for us in (median, p10, p90)), f"{ratio:.2f}",
                     f"{cpu:.0f}"])
    print(f"\n### {title}")
    table(["microseconds", "median", "p10", "p90", f"to {base}", "processor time"], rows)


MASKS = {"the plugin fills in the place": "place", "the host does, `exact`": "exact", "masked, `city`": "city",
         "masked, `neighbourhood`": "neighbourhood"}


def masks(bench, rounds, turn, round_trip):
    """A request with a masked place beside one with a plain one, each with a connection of its own."""
    for title, far in [("A masked request beside a plain one, on loopback", ""),
                       (f"The same over a network of {round_trip} ms a round trip", "far-")]:
        beside(title, MASKS, lambda name: bench.turn("deskCold", turn, far + MASKS[name]), rounds,
               "the plugin fills in the place")


def rates(bench, home, rounds, turn):
    rows = []

    def row(name, values):
        median, p10, p90 = spread(values)
        rows.append([name, *(f"{rate:,.0f}" for rate in (median, p10, p90))])

    def many(case, threads, count):
        told = bench.ask(case, count, threads)
        return count * threads / told["wallUs"] * 1e6

    cases = {f"{what}, {threads} at once": (case, threads, count)
             for what, case, count in [("mediator, no grants, no ledger", "mediator", 5000),
                                       ("mediator, grants and ledger, answered at once", "desk", 10 * turn),
                                       ("mediated fetch, kept connections", "deskKept", 10 * turn)]
             for threads in (1, 2, 4)}
    values = {name: [] for name in cases}
    runs = {at_once: [] for at_once in (1, 2, 4)}
    for number in range(rounds + 1):
        for name, case in cases.items():
            rate = many(*case)
            if number:
                values[name].append(rate)
        for at_once in runs:
            # What a run costs besides its requests is taken off: the same runs with one request each.
            few, all_ = home.runs(at_once, 1), home.runs(at_once, 10 * turn)
            if number:
                runs[at_once].append((10 * turn - 1) * at_once / max(all_ - few, 1e-9))
    for name in cases:
        row(name, values[name])
    for at_once in runs:
        row(f"`escrow run`, plugin in its sandbox, {at_once} at once", runs[at_once])
    print("\n### Requests a second")
    table(["case", "median", "p10", "p90"], rows)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("escrow")
    words.add_argument("program", metavar="EGRESS_BENCH")
    words.add_argument("--rounds", type=int, default=20, help="at least 10")
    words.add_argument("--turn", type=int, default=20, help="requests of one case before the next has its turn, at most 100")
    words.add_argument("--masks", action="store_true", help="only requests with a masked place beside plain ones")
    words.add_argument("--realtime", action="store_true", help="at real-time priority, for a machine that others use")
    words = words.parse_args()
    rounds, turn = max(10, words.rounds), min(100, max(2, words.turn))
    missing = [name for name in ("nginx", "curl", "openssl", "cc")
               if not shutil.which(name, path=PATH)]
    if missing:
        print(f"SKIP: {', '.join(missing)} missing; scripts/packages bench installs what is measured beside")
        return
    if words.realtime:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))  # passed on to all that is started here
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        server = Server(folder)
        try:
            far = Distance(server.port, ROUND_TRIP_MS)
            home = Home(os.path.realpath(words.escrow), folder, server, far)
            bench, curl = Bench(os.path.realpath(words.program), home), Curl(server)
            version = subprocess.run(["curl", "--version"], stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
            print(f"\n## Requests to the network, {rounds} rounds of {turn} by turns\n\nLinux {os.uname().release}, "
                  f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {' '.join(version.split()[:2])}")
            masks(bench, rounds, min(turn, 10), ROUND_TRIP_MS)
            if words.masks:
                return bench.end()
            beside("A new connection and TLS for each", COLD,
                   lambda name: bench.turn(COLD[name], turn) if COLD[name] else curl.cold(turn), rounds, "AsyncHTTPClient")
            beside("On a kept connection", KEPT,
                   lambda name: bench.turn(KEPT[name], turn * 5) if KEPT[name] else curl.kept(turn * 5), rounds,
                   "AsyncHTTPClient")
            beside("The mediator's own cost", PARTS,
                   lambda name: bench.turn(PARTS[name], turn if PARTS[name] in ("context", "client") else turn * 5), rounds,
                   "mediator, no grants, no ledger")
            rates(bench, home, max(10, rounds // 2), turn)
            bench.end()
        finally:
            server.end()


if __name__ == "__main__":
    main()
