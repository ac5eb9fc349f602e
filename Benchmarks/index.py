"""What is remembered of a folder of photos, and what it spares: the first reading, later queries of processes that run once and of
one that stays. Prints a Markdown table: milliseconds, medians with the least and the most, and system calls counted by strace."""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

import samples

HEADERS = ["creationDate", "latitude", "longitude"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("bench", help="index-bench")
    options.add_argument("--photos", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--folder", help="made by an earlier run, and kept")
    arguments = options.parse_args()
    place = arguments.folder or tempfile.mkdtemp(prefix="index-bench-", dir=".build")
    photos = os.path.join(place, "photos")
    if not os.path.isdir(photos):
        samples.photos(photos, arguments.photos)
        # Changed long ago: what changed within two seconds, counted in whole ones, is not kept.
        for folder, _, names in os.walk(photos):
            for name in names:
                os.utime(os.path.join(folder, name), (1_700_000_000, 1_700_000_000))
        time.sleep(3.1)
    home = tempfile.mkdtemp(prefix="home-", dir=place)
    try:
        measure(arguments.bench, photos, home, arguments.rounds)
    finally:
        shutil.rmtree(home)
        if not arguments.folder:
            shutil.rmtree(place)


def measure(bench, photos, home, rounds):
    print("| query | rows | listing, ms | all, ms (least to most) | files read | looked at: stat calls |")
    print("|---|--:|--:|--:|--:|--:|")
    # The caches of the system are warm from here on.
    once(bench, photos, home + "/none", ["fileSize"], 1)
    row("first reading of the headers", [once(bench, photos, home, HEADERS, 1)], None)
    for name, columns in [("headers, again", HEADERS), ("sizes", ["fileSize"]), ("names", ["filename"])]:
        lines = [once(bench, photos, home, columns, 1) for _ in range(rounds)]
        row(f"{name}, a process each", lines, calls(bench, photos, home, columns))
    for name, columns in [("headers", HEADERS), ("sizes", ["fileSize"])]:
        stays(bench, photos, home, columns, rounds, name)


def once(bench, photos, home, columns, rounds):
    os.makedirs(home, exist_ok=True)
    text = subprocess.run([bench, photos, home, str(rounds), "once"] + columns, check=True, capture_output=True, text=True).stdout
    return text.split()


def calls(bench, photos, home, columns):
    """Calls of stat and its kin, by strace; None where that is missing."""
    if not shutil.which("strace"):
        return None
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["strace", "-f", "-c", "-U", "calls,name", "-o", log.name, bench, photos, home, "1", "once"] + columns,
                       check=True, stdout=subprocess.DEVNULL)
        return sum(int(line.split()[0]) for line in log if re.search(r"stat(x|at64|at)?$", line.strip()))


def stays(bench, photos, home, columns, rounds, name):
    """One process that watches; before each of the later rounds one picture is changed."""
    process = subprocess.Popen([bench, photos, home, str(2 * rounds + 1), "stays"] + columns, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    lines = []
    for number in range(2 * rounds + 1):
        lines.append(process.stdout.readline().split())
        if number >= rounds:
            os.utime(os.path.join(photos, "Solo", "IMG_solo.jpg"), (1_700_000_000 + number, 1_700_000_000 + number))
        process.stdin.write("\n")
        process.stdin.flush()
    process.wait()
    row(f"{name}, a process that stays: its first", lines[:1], lines[0][4])
    row(f"{name}, nothing changed", lines[1:rounds + 1], lines[1][4])
    row(f"{name}, one file changed", lines[rounds + 1:], lines[-1][4])


def row(name, lines, looks):
    listing = statistics.median(float(line[1]) for line in lines)
    whole = [float(line[2]) for line in lines]
    spread = f" ({min(whole):.0f} to {max(whole):.0f})" if len(whole) > 1 else ""
    looks = "-" if looks is None else f"{int(looks):,}"
    print(f"| {name} | {int(lines[0][0]):,} | {listing:.1f} | {statistics.median(whole):.1f}{spread} | {int(lines[-1][3]):,} | {looks} |",
          flush=True)


main()
