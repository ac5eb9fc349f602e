"""Assembles the filter that `escrow doctor --filter strict --bpf` prints, so that another sandbox can install it."""

import re
import struct

ANSWERS = {"allow": 0x7fff0000, "kill": 0x80000000}
COMPARISONS = {"=": 0x15, ">": 0x25, ">=": 0x35, "&": 0x45}
FIELDS = {"number": 0, "architecture": 4}


def instruction(place, text):
    """One line in words as (code, skipped if true, skipped if false, constant): linux/filter.h, struct sock_filter."""
    if found := re.fullmatch(r"load (number|architecture)", text):
        return 0x20, 0, 0, FIELDS[found[1]]
    if found := re.fullmatch(r"load argument (\d), (low|high)", text):
        return 0x20, 0, 0, 16 + 8 * int(found[1]) + (4 if found[2] == "high" else 0)
    if found := re.fullmatch(r"if A (=|>|>=|&) (0x[0-9a-f]+) go to (\d+) else (\d+)", text):
        true, false = (int(found[number]) - place - 1 for number in (3, 4))
        return COMPARISONS[found[1]], true, false, int(found[2], 16)
    if found := re.fullmatch(r"go to (\d+)", text):
        return 0x05, 0, 0, int(found[1]) - place - 1
    if found := re.fullmatch(r"A = A & (0x[0-9a-f]+)", text):
        return 0x54, 0, 0, int(found[1], 16)
    if found := re.fullmatch(r"answer errno (\d+)", text):
        return 0x06, 0, 0, 0x50000 | int(found[1])
    if found := re.fullmatch(r"answer (allow|kill)", text):
        return 0x06, 0, 0, ANSWERS[found[1]]
    raise ValueError(f"an instruction that is not known here: {text}")


def assemble(lines, also):
    """The program as bytes. The calls whose numbers are in `also` are allowed before it is asked."""
    program = [(0x20, 0, 0, 0)]
    for index, number in enumerate(also):
        last = index == len(also) - 1
        program.append((0x15, len(also) - 1 - index, 1 if last else 0, number))
    program.append((0x06, 0, 0, ANSWERS["allow"]))
    program += [instruction(place, re.sub(r"^\s*\d+\s+", "", text)) for place, text in enumerate(lines)]
    return b"".join(struct.pack("<HBBI", *parts) for parts in program)
