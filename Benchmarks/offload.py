#!/usr/bin/env python3
"""On the device or on a server: Fig. 4 of the bolt-on data escrow with a real model, and what a server carries.

    offload.py PROGRAMS PACKAGES MODEL PART... [--runs N] [--counts 10,100,1000] [--share 50] [--pictures FOLDER]

PART is one or more of
    pictures      makes the pictures in the folder, and nothing else
    figure        10, 100, 1,000 pictures on the device and on a server: transmission and computation apart
    crossover     jobs that compute more and more over the same pictures, by a slow link
    transmission  the bytes of a run beside the same bytes by TLS alone
    warm          a run of one row on a server beside one on the device, over loopback, of a host that stays
    load          more and more devices at once, to where the server gives no more

PROGRAMS has escrow, escrow-remote, escrow-server and escrow-egress; MODEL is image-classifier.escrow. The device is held to a share of
one processor by a cgroup, the server runs on the other, and the network between them is held to a rate by tbf (no latency: that takes
netem, which not every kernel has). Needs root, iproute2, Pillow. Prints Markdown."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Support"))
import offload_kit as kit

APP = "org.example.test"
# Rates of the link, both ways, by tbf. Latency is not shaped: that takes netem, which not every kernel has.
LINKS = {"5G": "100mbit", "Wi-Fi": "300mbit", "LAN": "1gbit"}
SLOW = "10mbit"


def pictures(folder, count):
    """So many pictures of about 16 KB, each another part of the sample photos with noise of its own."""
    from PIL import Image
    import numpy
    folder.mkdir(exist_ok=True)
    there = sorted(folder.iterdir())
    if len(there) >= count:
        return sum(p.stat().st_size for p in there) / len(there)
    source = Image.open(kit.ROOT / "samples/photos/IMG_0001.jpg").convert("RGB")
    generator = numpy.random.default_rng(4)
    for index in range(count):
        left, top = int(generator.integers(0, 180)), int(generator.integers(0, 60))
        pixels = numpy.asarray(source.crop((left, top, left + 300, top + 300)), numpy.float32)
        pixels = (pixels + generator.normal(0, 12, pixels.shape)).clip(0, 255).astype("uint8")
        low, high = 5, 95
        while high - low > 1:
            middle = (low + high) // 2
            path = folder / f"p{index:04}.jpg"
            Image.fromarray(pixels).save(path, quality=middle)
            low, high = (middle, high) if path.stat().st_size < 16_384 else (low, middle)
    sizes = [p.stat().st_size for p in folder.iterdir()]
    return sum(sizes) / len(sizes)


class RawTLS:
    """The same bytes by TLS alone, over a connection that is there: the far side says a word when it has them all."""

    def __init__(self, work, address="10.77.1.2", inside=("ip", "netns", "exec", "far", "taskset", "-c", "1")):
        key, certificate = work / "raw.key", work / "raw.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=raw"], check=True, capture_output=True)
        code = ("import socket,ssl,sys;c=ssl.create_default_context(ssl.Purpose.CLIENT_AUTH);c.load_cert_chain(*sys.argv[1:3])\n"
                "s=socket.create_server((sys.argv[3],7999));print('up',flush=True);a,_=s.accept();t=c.wrap_socket(a,server_side=True)\n"
                "while line:=t.recv(16):\n"
                " n=int(line)\n"
                " while n>0: n-=len(t.recv(1<<18))\n"
                " t.sendall(b'k')")
        self.server = subprocess.Popen([*inside, sys.executable, "-c", code, certificate, key, address], stdout=subprocess.PIPE, text=True)
        self.server.stdout.readline()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.tls = context.wrap_socket(socket.create_connection((address, 7999)))

    def seconds(self, size):
        data = os.urandom(size)
        start = time.perf_counter()
        self.tls.sendall(f"{size}".encode().ljust(16))
        self.tls.sendall(data)
        self.tls.recv(1)
        return time.perf_counter() - start

    def end(self):
        self.tls.close()
        self.server.wait()


class Host:
    """`escrow host --stdio`: a host that stays, as an app has it."""

    def __init__(self, programs, home, inside=()):
        self.process = subprocess.Popen([*inside, str(programs.programs / "escrow"), "host", "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"], "ESCROW_HOME": str(home)})
        self.process.stdout.readline()
        self.number = 0

    def run(self, plugin, server, **arguments):
        """Seconds of a run, and what it gave."""
        self.number += 1
        ask = {"id": self.number, "run": {"app": APP, "compute": plugin, "server": server, "arguments": arguments}}
        start = time.perf_counter()
        self.process.stdin.write(json.dumps(ask).encode() + b"\n")
        self.process.stdin.flush()
        told = self.process.stdout.readline()
        seconds = time.perf_counter() - start
        answer = json.loads(told)
        if "result" not in answer:
            raise SystemExit(f"the host answered: {told.decode()[:2000]}")
        return seconds, answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def sent():
    """Bytes that went to the server's namespace."""
    return json.loads(subprocess.check_output(["ip", "-j", "-s", "link", "show", "v1"]))[0]["stats64"]["tx"]["bytes"]


def last(programs, home):
    """The last run's figures, as the ledger has them."""
    entries = json.loads(programs.run("escrow", "ledger", "list", "--format", "json", home=home).stdout)
    entries = entries["entries"] if isinstance(entries, dict) else entries
    end = [e for e in entries if e["kind"] == "run-end"][-1]
    return end.get("fields", end)


def setup(arguments, work, packages, more=(), far=True, runs=512):
    if far and not os.path.exists("/run/netns/far"):
        kit.namespace("far", 1)
    address = "10.77.1.2" if far else "127.0.0.1"
    programs = kit.Programs(arguments.programs, arguments.packages, work)
    folder = work / f"server-{os.urandom(4).hex()}"
    owner = lambda *a: programs.run("escrow-server", *a, "--folder", folder)
    owner("init", "--address", address, "--host", address, "--runs", runs)
    owner("trust", "add", "org.example.*", programs.key())
    for package in packages:
        owner("registry", "add", package)
    owner("enrol", "laptop", "--out", work / "laptop.json")
    server = programs.serve(folder, [*(["ip", "netns", "exec", "far"] if far else []), *more])
    return programs, server


def phone_check(arguments):
    return pathlib.Path(arguments.packages) / "phone-check.escrow"


def classifier(arguments, work, count):
    """A server that has the model, and a home with pictures."""
    package = pathlib.Path(arguments.model).resolve()
    there = package.with_name("image-classifier-there.escrow")
    programs, server = setup(arguments, work, [package, there, phone_check(arguments)], ["taskset", "-c", "1"])
    folder = pathlib.Path(arguments.pictures or work / "photos")
    size = pictures(folder, max(count, len(list(folder.iterdir())) if folder.exists() else 0))

    def device(has_model=True):
        """With the model, or with the signed manifest of one that is on the server alone."""
        name, file = ("", package) if has_model else ("-there", there.with_name("image-classifier-there.device.escrow"))
        return programs.device(work / "laptop.json", photos=folder, plugin="image-classifier" + name, package=file, here=has_model)

    return programs, server, device, size


class Device:
    """A device of half a processor, or what it was told."""

    def __init__(self, programs, home, percent):
        self.programs, self.home, self.percent = programs, home, percent
        self.share = kit.Share("escrow-device", percent)
        self.inside = ["sh", "-c", f'echo $$ > {self.share.path}/cgroup.procs && exec taskset -c 0 "$@"', "sh"]

    def measure(self, place, runs, **parameters):
        """Mean and spread of the whole, the plugin's computation, the bytes of Ds."""
        wholes, computes = [], []
        words = [w for name, value in parameters.items() for w in ("--param", f"{name}={value}")]
        for _ in range(runs):
            start = time.monotonic()
            plugin = "image-classifier" if place == "device" else "image-classifier-there"
            outcome = self.programs.run("escrow", "run", plugin, "--app", APP, "--format", "json", "--server", place,
                                        *words, home=self.home, inside=self.inside, status=None)
            wholes.append(time.monotonic() - start)
            if outcome.returncode:
                raise SystemExit(outcome.stderr)
            assert len(json.loads(outcome.stdout)) == parameters["count"], outcome.stdout[:200]
            end = last(self.programs, self.home)
            # On the device its processor time is stretched by the share that it is held to.
            computes.append(end["used"]["cpuMs"] / 1000 * (100 / self.percent if place == "device" else 1))
        spread = statistics.stdev(wholes) if runs > 1 else 0
        return statistics.mean(wholes), spread, statistics.mean(computes), end["bytes"] + end["assetBytes"]

    def row(self, label, place, runs, **parameters):
        whole, spread, compute, ds = self.measure(place, runs, **parameters)
        return (f"| {parameters['count']} | {parameters.get('repeats', 1)} | {label} | {runs} | {whole:.2f} ± {spread:.2f} | {compute:.2f} | "
                f"{max(0, whole - compute):.2f} | {ds / 1e6:.2f} |")

    def give_back(self):
        self.share.give_back()


HEAD = ("| pictures | repeats | where | runs | whole, s | computation, s | all else, s | Ds, MB |\n"
        "|---:|---:|---|---:|---:|---:|---:|---:|")


def figure(arguments, work):
    counts = [int(c) for c in arguments.counts.split(",")]
    programs, server, make, size = classifier(arguments, work, max(counts))
    # The model is installed only where it runs.
    one, other = (Device(programs, make(has_model), arguments.share) for has_model in (True, False))
    print(f"\n## Fig. 4: device of {arguments.share} % of one processor, server of the other; pictures of {size / 1000:.1f} KB\n\n{HEAD}")
    for count in counts:
        def here():
            return [one.row("device", "device", arguments.runs, count=count)]

        def there():
            rows = []
            for link, rate in LINKS.items():
                kit.limit("far", 1, rate)
                rows.append(other.row(f"server, {link}", "home", arguments.runs, count=count))
            return rows

        # Many pictures take long: the device's runs and those at the server then go side by side, on the two processors.
        if count < 100:
            rows = here() + there()
        else:
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                rows = [r for part in [pool.submit(here), pool.submit(there)] for r in part.result()]
        print("\n".join(rows), flush=True)
    for device in (one, other):
        device.give_back()
    kit.stop(server)


def crossover(arguments, work):
    programs, server, make, _ = classifier(arguments, work, 10)
    one, other = (Device(programs, make(has_model), arguments.share) for has_model in (True, False))
    kit.limit("far", 1, SLOW)
    print(f"\n## Crossover: a link of {SLOW}, jobs that compute none, one and four times over the same pictures\n\n{HEAD}")
    for repeats in (0, 1, 4):
        for device, label, place in ((one, "device", "device"), (other, "server", "home")):
            print(device.row(label, place, 3, count=10, repeats=repeats), flush=True)
    for device in (one, other):
        device.give_back()
    kit.stop(server)


def transmission(arguments, work):
    count = 1000
    programs, server, make, _ = classifier(arguments, work, count)
    home, rows = make(), programs.device(work / "laptop.json", contacts=50_000)
    host, other = (Host(programs, h, ["taskset", "-c", "0"]) for h in (home, rows))
    raw = RawTLS(work)
    print("\n## Transmission beside TLS: a host that stays, a connection that is kept; what a run takes there more than here\n\n"
          "| what | link | runs | Ds, MB | sent / Ds | here, s | there, s | more, s | TLS alone, s | more / TLS |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")

    def compare(label, host, home, plugin, link, rate, times, **parameters):
        kit.limit("far", 1, rate)
        host.run(plugin, "home", **parameters)
        here = statistics.median(host.run(plugin, "device", **parameters)[0] for _ in range(times))
        before = sent()
        there = statistics.median(host.run(plugin, "home", **parameters)[0] for _ in range(times))
        went = (sent() - before) / times
        end = last(programs, home)
        ds = end["bytes"] + end["assetBytes"]
        tls = statistics.median(raw.seconds(ds) for _ in range(3))
        print(f"| {label} | {link} {rate} | {times} | {ds / 1e6:.2f} | {went / ds:.3f} | {here:.3f} | {there:.3f} | {there - here:.3f} | "
              f"{tls:.3f} | {(there - here) / tls:.2f} |", flush=True)

    for link, rate in LINKS.items():
        compare("1,000 pictures, 32 an ask", host, home, "image-classifier", link, rate, 3, count=count, repeats=0, together=32)
        compare("1,000 pictures, one by one", host, home, "image-classifier", link, rate, 1, count=count, repeats=0, together=1)
        compare("50,000 rows of contacts", other, rows, "phone-check", link, rate, 3)
    host.end()
    other.end()
    raw.end()
    kit.stop(server)


def warm(arguments, work):
    programs, server = setup(arguments, work, [phone_check(arguments)], far=False)
    host = Host(programs, programs.device(work / "laptop.json", contacts=1))
    for place in ("device", "home") * 5:
        host.run("phone-check", place)
    took = {"device": [], "home": []}
    # By turns, with time to make the next process ready between.
    for _ in range(200):
        for place in took:
            time.sleep(0.005)
            took[place].append(host.run("phone-check", place)[0] * 1000)
    print("\n## A warm run of one row, over loopback, of a host that stays; 200 of each, by turns\n\n"
          "| where | least, ms | median, ms | p90, ms |\n|---|---:|---:|---:|")
    for place, values in took.items():
        values.sort()
        print(f"| {place} | {values[0]:.2f} | {statistics.median(values):.2f} | {values[180]:.2f} |")
    print(f"\nThe median there is {statistics.median(took['home']) - statistics.median(took['device']):.2f} ms over that here.", flush=True)
    host.end()
    kit.stop(server)


def cpu(pid):
    """Processor seconds of a process and of its children that ended."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")


def load(arguments, work):
    programs, server = setup(arguments, work, [phone_check(arguments)], far=False, runs=64)
    # The devices take more of this machine than the server: held to a share, it is the server that is used up.
    share = kit.Share("escrow-server", arguments.share)
    share.take(server.pid)
    hosts = [Host(programs, programs.device(work / "laptop.json", contacts=arguments.contacts)) for _ in range(16)]
    for host in hosts:
        host.run("phone-check", "home")
    print(f"\n## Load: a server of {arguments.share} % of one processor, {arguments.contacts} contacts a run, hosts that stay\n\n"
          "| devices at once | runs | runs a second | median, ms | p95, ms | worst, ms | server's processor time a run, ms | its memory, MiB |\n"
          "|---:|---:|---:|---:|---:|---:|---:|---:|")
    for at_once in (1, 2, 4, 8, 16):
        taken, lock = [], threading.Lock()
        before, start = cpu(server.pid), time.monotonic()

        def device(host):
            while time.monotonic() < start + arguments.seconds:
                seconds = host.run("phone-check", "home")[0]
                with lock:
                    taken.append(seconds * 1000)

        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            list(pool.map(device, hosts[:at_once]))
        whole, spent = time.monotonic() - start, cpu(server.pid) - before
        memory = [l for l in open(f"/proc/{server.pid}/status") if l.startswith("VmRSS")][0].split()[1]
        taken.sort()
        print(f"| {at_once} | {len(taken)} | {len(taken) / whole:.1f} | {statistics.median(taken):.1f} | {taken[len(taken) * 95 // 100]:.1f} | "
              f"{taken[-1]:.1f} | {spent / len(taken) * 1000:.2f} | {int(memory) // 1024} |", flush=True)
    home = programs.device(work / "laptop.json", contacts=arguments.contacts)
    before, count = cpu(server.pid), 40
    for _ in range(count):
        programs.offload(home, status=0)
    print(f"\nOver a new connection a run takes {(cpu(server.pid) - before) / count * 1000:.2f} ms of the server's processor time.", flush=True)
    for host in hosts:
        host.end()
    kit.stop(server)
    share.give_back()


def main():
    parts = {"figure": figure, "crossover": crossover, "transmission": transmission, "warm": warm, "load": load}
    parser = argparse.ArgumentParser()
    for name in ("programs", "packages", "model"):
        parser.add_argument(name)
    parser.add_argument("parts", nargs="+", choices=["pictures", *parts])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--counts", default="10,100,1000")
    parser.add_argument("--share", type=int, default=50)
    parser.add_argument("--contacts", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=8, help="of each step of the load")
    parser.add_argument("--pictures", help="a folder of pictures that is kept")
    arguments = parser.parse_args()
    if arguments.parts == ["pictures"]:
        print(pictures(pathlib.Path(arguments.pictures), max(int(c) for c in arguments.counts.split(","))))
        return
    kit.alone()
    for part in arguments.parts:
        work = pathlib.Path(tempfile.mkdtemp(prefix="offload-"))
        try:
            parts[part](arguments, work)
        finally:
            shutil.rmtree(work, ignore_errors=True)


main()
