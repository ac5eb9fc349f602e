"""How long a no takes from one of a person's devices to the other, by share servers on this machine.

    no.py FOLDER-OF-THE-PROGRAMS FOLDER-OF-PLUGINS [TIMES]

Two ways: both devices follow their group, and one says no; or one says no while the other is away, which then comes online. Prints
milliseconds from the moment at which the no is given, or the other device's program starts, until it stands in the other's home."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

programs, plugins = (os.path.realpath(word) for word in sys.argv[1:3])
times = int(sys.argv[3]) if len(sys.argv) > 3 else 20
DATAFLOW = ["--app", "org.example.cards", "--plugin", "age-of-contacts"]
folder = tempfile.mkdtemp(prefix="no-")
running = []


def escrow(who, *words):
    done = subprocess.run([f"{programs}/escrow", *words], env=os.environ | {"ESCROW_HOME": f"{folder}/{who}"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{who}: escrow {' '.join(words)}: {done.stderr}")
    return done.stdout


def start(who, *words):
    process = subprocess.Popen([f"{programs}/escrow-group", *words], env=os.environ | {"ESCROW_HOME": f"{folder}/{who}"},
                               stdout=subprocess.PIPE, text=True)
    running.append(process)
    return process


def stop(process):
    process.kill()
    process.wait()
    running.remove(process)


def state(who):
    grants = json.loads(escrow(who, "grant", "list", "--format", "json"))["grants"]
    return grants[0]["state"] if grants else None


def stamp(who):
    try:
        status = os.stat(f"{folder}/{who}/grants.json")
        return status.st_ino, status.st_mtime_ns
    except FileNotFoundError:
        return None


def until(who, wanted, begun):
    """Milliseconds until the decision stands at a device."""
    last = None
    while time.monotonic() - begun < 30:
        now = stamp(who)
        if now != last:
            at = time.monotonic()
            if state(who) == wanted:
                return (at - begun) * 1000
            last = now
        time.sleep(0.001)
    sys.exit(f"{who} does not hear of it")


def line(what, figures):
    print(f"| {what} | {statistics.median(figures):.0f} | {min(figures):.0f} | {max(figures):.0f} |")


def follow(who):
    return start(who, "devices", "own", "--follow")


def main():
    servers = []
    for number in range(3):
        place = f"{folder}/server-{number}"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", "/CN=share", "-keyout", place + ".key", "-out", place + ".pem"], stderr=subprocess.DEVNULL, check=True)
        server = subprocess.Popen([f"{programs}/escrow-share-server", "--folder", place, "--key", place + ".key", "--certificate",
                                   place + ".pem", "--port", "0"], stdout=subprocess.PIPE, text=True)
        running.append(server)
        servers += ["--server", server.stdout.readline().strip()]
    listed = subprocess.run([f"{programs}/escrow", "key", "list", "--home", f"{plugins}/publisher", "--format", "json"],
                            stdout=subprocess.PIPE, check=True).stdout
    key = json.loads(listed)["keys"][0]["publicKey"]
    for who in ("laptop", "phone"):
        escrow(who, "init")
        escrow(who, "trust", "add", "org.example.*", key, "--name", "Samples")
        escrow(who, "plugin", "install", f"{plugins}/age-of-contacts.escrow", "--yes")
    escrow("laptop", "group", "create", "own", "--name", "Laptop", "--own-devices", *servers)
    inviting = start("laptop", "invite", "own", "--near", "--listen", "127.0.0.1")
    near = json.loads(inviting.stdout.readline())
    escrow("phone", "group", "join", "own", "--near", near["near"], "--code", near["code"], "--name", "Phone")
    inviting.wait()
    running.remove(inviting)

    print(f"{times} times each, {os.cpu_count()} processors; milliseconds\n")
    print("| | median | shortest | longest |\n|---|---|---|---|")
    laptop, phone = follow("laptop"), follow("phone")
    figures = []
    for _ in range(times):
        escrow("laptop", "grant", "allow", *DATAFLOW)
        until("phone", "authorized", time.monotonic())
        escrow("laptop", "grant", "deny", *DATAFLOW)
        figures.append(until("phone", "denied", time.monotonic()))
    line("both follow: from the no until it stands at the other", figures)
    figures = []
    for _ in range(times):
        escrow("laptop", "grant", "allow", *DATAFLOW)
        until("phone", "authorized", time.monotonic())
        stop(phone)
        stop(laptop)
        escrow("laptop", "grant", "deny", *DATAFLOW)
        escrow("laptop", "group", "devices", "own")
        laptop = follow("laptop")
        begun = time.monotonic()
        phone = follow("phone")
        figures.append(until("phone", "denied", begun))
    line("said while the other was away: from its start until it stands there", figures)
    stop(phone)
    stop(laptop)
    figures = []
    for _ in range(times):
        for who in ("phone", "laptop", "phone"):
            escrow(who, "group", "devices", "own")
        escrow("laptop", "grant", "allow", *DATAFLOW)
        for who in ("laptop", "phone"):
            escrow(who, "group", "devices", "own")
        escrow("laptop", "grant", "deny", *DATAFLOW)
        begun = time.monotonic()
        laptop, phone = follow("laptop"), follow("phone")
        figures.append(until("phone", "denied", begun))
        stop(laptop)
        stop(phone)
    line("said while both were away: from the start of both until it stands at the other", figures)


try:
    main()
finally:
    for process in running:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
