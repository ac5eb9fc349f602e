"""A hundred members of one group, each with a network namespace of its own, and three share servers, on a bridge of this machine.

    hundred.py FOLDER-OF-THE-PROGRAMS [MEMBERS]

Needs root, for the namespaces. Everybody writes one object; then all exchange until everybody has all. Prints what it took."""

import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

programs = os.path.realpath(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
WORKERS = os.cpu_count() or 2
folder = tempfile.mkdtemp(prefix="hundred-")
mark = f"h{os.getpid() % 10000}"
names, servers = [], []


def run(*words, **rest):
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, **rest)
    if done.returncode:
        sys.exit(f"{' '.join(words[:8])}: failed")
    return done.stdout


def namespace(number):
    """A namespace with an address on the bridge."""
    name = f"{mark}-{number}"
    run("ip", "netns", "add", name)
    names.append(name)
    run("ip", "link", "add", f"{mark}v{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
    run("ip", "link", "set", f"{mark}v{number}", "master", f"{mark}br", "up")
    address = f"10.213.{number // 250}.{number % 250 + 1}"
    run("ip", "-n", name, "address", "add", f"{address}/16", "dev", "eth0")
    run("ip", "-n", name, "link", "set", "eth0", "up")
    run("ip", "-n", name, "link", "set", "lo", "up")
    return name, address


def member(number):
    """What prefixes a member's command."""
    return ["ip", "netns", "exec", f"{mark}-{number}", "env", f"ESCROW_HOME={folder}/{number}", f"{programs}/escrow-group"]


def group(number, *words, given=None):
    begun = time.monotonic()
    text = run(*member(number), *words, input=given)
    return [json.loads(line) for line in text.splitlines()], time.monotonic() - begun


def all_members(work):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(work, range(count)))


def main():
    run("ip", "link", "add", f"{mark}br", "type", "bridge")
    run("ip", "link", "set", f"{mark}br", "up")
    for number in range(count):
        namespace(number)
    addresses = []
    for number in range(3):
        name, address = namespace(count + number)
        place = f"{folder}/server-{number}"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=share", "-keyout", place + ".key", "-out", place + ".pem", stderr=subprocess.DEVNULL)
        server = subprocess.Popen(
            ["ip", "netns", "exec", name, f"{programs}/escrow-share-server", "--folder", place, "--key", place + ".key",
             "--certificate", place + ".pem", "--address", address, "--port", "8443"], stdout=subprocess.PIPE, text=True)
        servers.append(server)
        addresses += ["--server", server.stdout.readline().strip()]
    begun = time.monotonic()
    group(0, "create", "all", "--name", "owner", "--app", "org.example.hundred", "--class", "Note", "--time-to-live", "86400", *addresses)
    for number in range(1, count):
        paper, answer = f"{folder}/{number}.json", f"{folder}/{number}.invitation"
        code = group(number, "introduce", "all", "--name", f"member {number}", "--out", paper)[0][0]["code"]
        code = group(0, "invite", "all", "--introduction", paper, "--code", code, "--out", answer)[0][0]["code"]
        group(number, "join", "all", "--invitation", answer, "--code", code)
    print(f"{count} members, each in its own network namespace; three servers; {os.cpu_count()} processors")
    print(f"inviting and joining, one after the other: {time.monotonic() - begun:.1f} s")
    sync = lambda number: group(number, "sync", "all")
    # The newest epoch's letters reach everybody first.
    begun = time.monotonic()
    sync(0)
    all_members(sync)
    print(f"all take the newest epoch: {time.monotonic() - begun:.1f} s")
    begun = time.monotonic()
    all_members(lambda number: group(number, "update", "all", "Note", f"note-{number}", given=json.dumps({"text": "x" * 300})))
    print(f"all write one object of 311 bytes: {time.monotonic() - begun:.1f} s")
    rounds, times, bytes_moved = 0, [], 0
    begun = time.monotonic()
    while True:
        rounds += 1
        times += [spent for _, spent in all_members(sync)]
        held = all_members(lambda number: len(group(number, "objects", "all")[0]))
        if min(held) == count:
            break
        if rounds == 20:
            sys.exit(f"after {rounds} rounds somebody has {min(held)} of {count}")
    print(f"all have all {count} objects after {rounds} rounds of exchange, {time.monotonic() - begun:.1f} s")
    print(f"one exchange: median {statistics.median(times) * 1000:.0f} ms, longest {max(times) * 1000:.0f} ms")
    shown = group(0, "show", "all")[0][0]
    sizes = [os.path.getsize(f"{folder}/server-{number}/shares.db") for number in range(3)]
    memory = [int(next(line for line in open(f"/proc/{child}/status") if line.startswith("VmHWM")).split()[1])
              for child in (server.pid for server in servers)]
    print(f"epoch {shown['epoch']}; {shown['kept']} messages kept by the owner; servers' files {max(sizes) >> 10} KiB, "
          f"memory at most {max(memory) >> 10} MiB")


try:
    main()
finally:
    for server in servers:
        server.kill()
        server.wait()
    for name in names:
        subprocess.run(["ip", "netns", "delete", name])
    subprocess.run(["ip", "link", "delete", f"{mark}br"])
    shutil.rmtree(folder, ignore_errors=True)
