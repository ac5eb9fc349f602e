#!/usr/bin/env python3
"""The day of the ten apps: each runs once against its server, and what it learned and what passed is looked at.

    day.py ESCROW PACKAGES FOLDER [--only APP]

ESCROW is the program, PACKAGES the signed plugins, FOLDER where the home goes, unless there is one. What is looked at of each app stands in
`checks`. Nextcloud's server is wsgidav, mail is taken by aiosmtpd; the others are stand-ins on loopback with the shapes of the real ones.
Exits with 77 where a server is missing."""

import argparse
import importlib
import os
import shutil
import sys
import traceback

import who
from checks import sheets
from checks.desktop import Desktop
from checks.home import APP_IDS, WALLS, Day


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("escrow", "packages", "folder"):
        parser.add_argument(word, type=os.path.abspath)
    parser.add_argument("--only", choices=APP_IDS)
    words = parser.parse_args()
    root, homes = words.folder, []
    if not WALLS:
        print("SKIP walls: bubblewrap is missing, or cannot make them here; the apps run without")
    for name in APP_IDS:
        if words.only in (None, name):
            if words.only is None:
                words.folder = os.path.join(root, name)
                os.makedirs(words.folder)
            day = Day(words)
            importlib.import_module(f"checks.{name.replace('-', '_')}").check(day)
            day.end()
            print(f"ok {name}")
            homes.append(day.home)
    if "ESCROW_WRITE_VECTORS" in os.environ:
        sheets.write()
    print("\n".join(who.page(words.escrow, homes)))


status = 1
try:
    main()
    status = 0
except SystemExit as end:
    status = end.code
except BaseException:
    traceback.print_exc()
for desktop in list(Desktop.standing):
    desktop.end()
for day in Day.standing:
    day.end()
    shutil.rmtree(day.runtime, ignore_errors=True)
sys.stdout.flush()
# wsgidav's threads do not end by themselves.
os._exit(status)
