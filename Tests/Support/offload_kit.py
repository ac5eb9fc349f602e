"""Devices, escrow servers and networks of a test's or a benchmark's own: all in one folder and in namespaces that go with it."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def alone():
    """Goes on in network and mount namespaces of its own: what is made there goes with this process."""
    if os.environ.get("OFFLOAD_KIT") != "alone":
        os.environ["OFFLOAD_KIT"] = "alone"
        # With a namespace of processes, so that whatever it starts ends with it.
        os.execvp("unshare", ["unshare", "--net", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
                              "--mount-proc", sys.executable] + sys.argv)
    sh("ip link set lo up")
    os.makedirs("/run/netns", exist_ok=True)
    sh("mount -t tmpfs none /run/netns")


def sh(words):
    subprocess.run(words.split(), check=True, stdout=subprocess.DEVNULL)


def namespace(name, number):
    """A network namespace that is reached at 10.77.NUMBER.2."""
    sh(f"ip netns add {name}")
    sh(f"ip link add v{number} type veth peer name e0 netns {name}")
    sh(f"ip addr add 10.77.{number}.1/24 dev v{number}")
    sh(f"ip link set v{number} up")
    for line in (f"addr add 10.77.{number}.2/24 dev e0", "link set e0 up", "link set lo up",
                 f"route add default via 10.77.{number}.1"):
        sh(f"ip -n {name} {line}")


def limit(name, number, rate):
    """Holds both directions to a rate, in tc's words."""
    for where in (f"tc qdisc replace dev v{number}", f"tc -n {name} qdisc replace dev e0"):
        sh(f"{where} root tbf rate {rate} burst 64kb latency 400ms")


class Share:
    """A share of one processor, in percent, for whatever is in it. Version 2 of cgroups has one tree, version 1 one a controller."""

    def __init__(self, name, percent):
        newer = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
        self.path = pathlib.Path(f"/sys/fs/cgroup/{'' if newer else 'cpu/'}{name}-{os.urandom(4).hex()}")
        limits = {"cpu.max": f"{percent * 1000} 100000"} if newer else {
            "cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": f"{percent * 1000}"}
        self.path.mkdir()
        for name, value in limits.items():
            (self.path / name).write_text(value)

    def take(self, pid):
        (self.path / "cgroup.procs").write_text(str(pid))

    def give_back(self):
        # What is still in it goes back to where everything is.
        for pid in (self.path / "cgroup.procs").read_text().split():
            (self.path.parent / "cgroup.procs").write_text(pid)
        self.path.rmdir()


class Programs:
    def __init__(self, programs, packages, work):
        self.programs, self.packages, self.work = pathlib.Path(programs), pathlib.Path(packages), pathlib.Path(work)

    def run(self, name, *arguments, home=None, status=0, inside=(), text=None):
        environment = {"PATH": os.environ["PATH"], "ESCROW_HOME": str(home or self.work / "home")}
        outcome = subprocess.run([*inside, str(self.programs / name), *map(str, arguments)], env=environment, text=True,
                                 capture_output=True, input=text)
        if status is not None and outcome.returncode != status:
            raise SystemExit(f"{name} {arguments}: {outcome.returncode} {outcome.stdout} {outcome.stderr}")
        return outcome

    def key(self):
        keys = self.run("escrow", "key", "list", "--format", "json", home=self.packages / "publisher").stdout
        return json.loads(keys)["keys"][0]["publicKey"]

    def device(self, enrolment, contacts=0, photos=None, plugin="phone-check", server=True, package=None, here=True):
        """A home of its own, with a plugin that may run at the server `home`, and here."""
        home = self.work / f"device-{os.urandom(4).hex()}"
        escrow = lambda *a: self.run("escrow", *a, home=home)
        escrow("init")
        escrow("trust", "add", "org.example.*", self.key())
        if contacts:
            (self.work / "contacts.vcf").write_text("".join(
                f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c{i}\r\nFN:Person {i}\r\nTEL:+1212555{i % 10000:04}\r\nEND:VCARD\r\n"
                for i in range(contacts)))
            escrow("source", "add", "contacts", self.work / "contacts.vcf")
        if photos:
            escrow("source", "add", "photos", photos)
        escrow("plugin", "install", package or self.packages / f"{plugin}.escrow", "--yes")
        if server:
            escrow("server", "add", enrolment)
            escrow("grant", "allow", "--app", "org.example.test", "--plugin", plugin, "--server", "home")
        if here:
            escrow("grant", "allow", "--app", "org.example.test", "--plugin", plugin)
        return home

    def offload(self, home, plugin="phone-check", server="home", *more, status=None):
        return self.run("escrow", "run", plugin, "--app", "org.example.test", "--format", "json", "--server", server, *more,
                        home=home, status=status)

    def begin(self, home, plugin="phone-check", server="home", *more):
        return subprocess.Popen(
            [str(self.programs / "escrow"), "run", plugin, "--app", "org.example.test", "--format", "json", "--server", server,
             *more], env={"PATH": os.environ["PATH"], "ESCROW_HOME": str(home)}, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def serve(self, folder, inside=(), more=()):
        """Starts a server, and waits until it listens."""
        log = open(f"{folder}.log", "a")
        server = subprocess.Popen([*inside, str(self.programs / "escrow-server"), "run", "--folder", str(folder), *more],
                                  stdout=subprocess.PIPE, stderr=log, text=True, stdin=subprocess.DEVNULL)
        line = server.stdout.readline()
        if not line.startswith("listening"):
            raise SystemExit(f"{folder}: {line} {open(f'{folder}.log').read()}")
        return server


def postgres(folder, address=""):
    server = subprocess.Popen([str(ROOT / "Tests/Support/postgres.sh"), folder] + ([address] if address else []),
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    if line != "ready\n":
        raise SystemExit(line)
    return server


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        found += [int(c) for c in open(f"/proc/{pid}/task/{task}/children").read().split()]
    return found


def until(what, seconds=180):
    end = time.monotonic() + seconds
    while not (value := what()):
        if time.monotonic() > end:
            raise SystemExit("waited too long")
        time.sleep(0.002)
    return value


def haproxy(work, servers, port=7443):
    """A stock HAProxy before servers: (name, address)."""
    lines = [f"    server {name} {address}:7443 check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions"
             for name, address in servers]
    configuration = (ROOT / "scripts/haproxy.cfg").read_text()
    configuration = configuration.replace("bind :7443", f"bind 127.0.0.1:{port}")
    configuration = configuration.replace("/run/haproxy/admin.sock", f"{work}/haproxy.sock")
    # Who starts a test may not open so many files.
    configuration = configuration.replace("maxconn 20000", "maxconn 500")
    kept = [line for line in configuration.splitlines() if not line.strip().startswith("server ")]
    path = f"{work}/haproxy.cfg"
    pathlib.Path(path).write_text("\n".join(kept + lines) + "\n")
    balancer = subprocess.Popen(["haproxy", "-db", "-f", path], stdout=subprocess.DEVNULL, stderr=open(f"{work}/haproxy.log", "w"))
    until(lambda: os.path.exists(f"{work}/haproxy.sock"))
    return balancer


def statistics(work):
    """What HAProxy counted, by server: sessions, status."""
    with socket.socket(socket.AF_UNIX) as stats:
        stats.connect(f"{work}/haproxy.sock")
        stats.sendall(b"show stat\n")
        data = b""
        while piece := stats.recv(65536):
            data += piece
    lines = data.decode().lstrip("# ").splitlines()
    names = lines[0].split(",")
    rows = [dict(zip(names, line.split(","))) for line in lines[1:] if line]
    return {row["svname"]: (int(row["stot"]), row["status"]) for row in rows if row["svname"] not in ("FRONTEND", "BACKEND")}


def stop(*processes):
    for process in processes:
        process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
