#!/usr/bin/env python3
"""What contact discovery costs: the protocol of Plugins/find-contacts against plain hashing and against openmined-psi, which also says
whether the intersection is right.

    swift build -c release -Xswiftc -static-executable --package-path Plugins/find-contacts --product discovery-cost
    psi.py [--only NAME] SIZE...       SIZE: so many contacts, as many users; or CONTACTSxUSERS. A tenth of the fewer is in common

Prints the seconds of each step, all on one processor: what the service publishes, once for all who ask; what the device asks; what the
service answers to that; what the device makes of the answer."""

import argparse
import hashlib
import os
import subprocess
import time

OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Plugins/find-contacts/.build/release/discovery-cost")


def hashing(ours, theirs):
    known = {hashlib.sha256(number.encode()).digest() for number in theirs}
    yield
    asked = [hashlib.sha256(number.encode()).digest() for number in ours]
    yield
    answered = [digest in known for digest in asked]
    yield
    yield sum(answered)


def openmined(ours, theirs):
    import private_set_intersection.python as psi

    client, server = psi.client.CreateWithNewKey(True), psi.server.CreateWithNewKey(True)
    published = server.CreateSetupMessage(1e-9, len(ours), theirs, psi.DataStructure.RAW)
    yield
    asked = client.CreateRequest(ours)
    yield
    answered = server.ProcessRequest(asked)
    yield
    found = {ours[at] for at in client.GetIntersection(published, answered)}
    assert found == set(ours) & set(theirs)
    yield len(found)


def ours(contacts, users):
    # The same numbers, which it makes itself.
    done = subprocess.run([OURS, str(len(contacts)), str(len(users))], check=True, capture_output=True, text=True)
    count, *seconds = done.stdout.split()
    return int(count), list(map(float, seconds))


def timed(steps):
    """What the last step gives, and the seconds of each."""
    seconds, count = [], None
    begin = time.perf_counter()
    for count in steps:
        seconds.append(time.perf_counter() - begin)
        begin = time.perf_counter()
    return count, seconds


PROTOCOLS = {"hashing": lambda *sets: timed(hashing(*sets)), "ours": ours, "openmined-psi": lambda *sets: timed(openmined(*sets))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="+", metavar="SIZE")
    parser.add_argument("--only", choices=PROTOCOLS)
    words = parser.parse_args()
    print(f"{'contacts x users':>20}  {'':14}" + "".join(f"{name:>12}" for name in ("publish", "ask", "answer", "compare", "all")))
    for size in words.sizes:
        contacts, users = (int(part) for part in (size if "x" in size else f"{size}x{size}").split("x"))
        shared = min(contacts, users) // 10
        numbers = [f"+1{2000000000 + number * 7919 % 7999999999}" for number in range(contacts - shared + users)]
        for name, protocol in PROTOCOLS.items():
            if words.only not in (None, name):
                continue
            try:
                found, seconds = protocol(numbers[:contacts], numbers[contacts - shared:])
            except ImportError as error:
                print(f"{size:>20}  {name:14}  SKIP {error}")
                continue
            assert found == shared, f"{name} found another intersection"
            print(f"{size:>20}  {name:14}" + "".join(f"{value:12.4f}" for value in seconds + [sum(seconds)]), flush=True)


main()
