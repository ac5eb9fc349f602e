#!/usr/bin/env python3
"""What each plugin of the ten apps can tell its app and send, at most, as `escrow plugin check` counts it: docs/ten-apps.md has it.

    bits.py ESCROW PAGE           whether the page's table has these figures
    bits.py ESCROW PAGE --write   puts them there"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUGIN, LEARNS, LEAVES = 3, 4, 6


def amount(words):
    """Bits with their thousands apart; what is told in bytes stays as it is."""
    number, unit = words.split()
    return f"{int(number):,} {unit}"


def counted(escrow, plugin):
    """The two cells: what the result can hold, with what more its moment tells; and what all requests of a run can."""
    told = subprocess.run([escrow, "plugin", "check", os.path.join(ROOT, "Plugins", plugin)], capture_output=True, text=True,
                          check=True).stdout
    sent, result, when = re.search(
        r"^bits +(?:sends at most (.+?) a run to .+?|sends nothing); returns at most (.+?) to the app, and (\d+) bits? more by when",
        told, re.M).groups()
    return f"{amount(result)}, {when} by when", amount(sent) if sent else "nothing"


def main(escrow, page, write=False):
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    wrong = 0
    for number, line in enumerate(lines):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 8 or not re.fullmatch(r"`[\w-]+`", cells[PLUGIN]):
            continue
        learns, leaves = counted(escrow, cells[PLUGIN].strip("`"))
        if (cells[LEARNS], cells[LEAVES]) != (learns, leaves):
            wrong += 1
            print(f"{cells[PLUGIN]}: {learns}; {leaves}", file=sys.stderr)
            cells[LEARNS], cells[LEAVES] = learns, leaves
            lines[number] = "| " + " | ".join(cells) + " |"
    if write:
        with open(page, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    return 0 if write or not wrong else 1


sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))
