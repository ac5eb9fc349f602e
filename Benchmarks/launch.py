"""Measures what starting a sandboxed program costs, beside others that start one, in one run and by turns: A B C A B
C ..., so that a slow minute hits all of them; a turn is a few runs one after another. The work is the same for all: read
one row, count its digits, write one line (peers/work.*).

    launch.py ESCROW SANDBOX_BENCH [--python PYTHON] [--rounds N] [--turn N] [--realtime]

PYTHON is an interpreter in whose folder `deno` lies and that imports `wasmtime`. A peer that is missing is skipped, with
the reason.
"""

import argparse
import os
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "peers"))
from peers import (BWRAP, BWRAP_PID_1, COLD, DENO, POSIX_SPAWN, WARM, WASM_COLD, WASM_FRESH, WASM_WARM,  # noqa: E402
                   Peers, Skipped)

# A root host has one empty network for all its plugins, made once; an ordinary user's makes one for each.
OURS = "6, of which one is shared by all runs" if os.geteuid() == 0 else "6"

# What stands between the work and the machine in each case; printed with the figures, since no two are alike.
WALLS = [
    ["case", "a process of its own", "machine code", "namespaces", "Landlock", "system calls filtered", "stopped by name",
     "limits", "program verified"],
    [POSIX_SPAWN, "yes", "yes", "-", "-", "-", "-", "-", "-"],
    [BWRAP, "yes, and 2 of bwrap", "yes", "7", "-", "same list, and 2", "-", "-", "-"],
    [BWRAP_PID_1, "yes, and 1 of bwrap", "yes", "7", "-", "same list, and 2", "-", "-", "-"],
    [COLD, "yes", "yes", OURS, "yes", "strict", "yes", "time, memory, threads, output",
     "sealed copy"],
    [WARM, "yes, made before", "yes", OURS, "yes", "strict", "yes", "time, memory, threads, output",
     "sealed copy"],
    [WASM_WARM, "no", "no: WebAssembly", "-", "-", "no system calls", "-", "time, memory", "-"],
    [WASM_FRESH, "no", "no: WebAssembly", "-", "-", "no system calls", "-", "time, memory", "-"],
    [WASM_COLD, "yes", "no: WebAssembly", "-", "-", "no system calls", "-", "time, memory", "-"],
    [DENO, "yes", "no: JavaScript", "-", "-", "checks in the process", "-", "-", "-"],
]


def spread(values):
    return statistics.median(values), statistics.quantiles(values, n=10, method="inclusive")[8]


def ratio(rounds, base, which):
    """The median over the rounds of one round's ratio: what slows a round slows both."""
    if not base:
        return "-"
    def middle(turn):
        return statistics.median(took[which] for took in turn)
    return f"{statistics.median(middle(a) / middle(b) for a, b in zip(rounds, base)):.2f}"


def table(rows, column="--:"):
    print("\n| " + " | ".join(rows[0]) + " |\n|" + "|".join(["---"] + [column] * (len(rows[0]) - 1)) + "|")
    for row in rows[1:]:
        print("| " + " | ".join(row) + " |")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("escrow")
    words.add_argument("sandbox", metavar="SANDBOX_BENCH")
    words.add_argument("--python")
    words.add_argument("--rounds", type=int, default=60, help="at least 10")
    words.add_argument("--turn", type=int, default=5, help="runs of one case before the next has its turn")
    words.add_argument("--realtime", action="store_true", help="at real-time priority, for a machine that others use")
    words = words.parse_args()
    rounds = max(10, words.rounds)
    if words.realtime:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))  # passed on to all that is started here
    with tempfile.TemporaryDirectory(prefix="escrow-bench-") as folder:
        peers = Peers(words, folder)
        order = [row[0] for row in WALLS[1:] if row[0] in peers.turns]
        times = {name: [] for name in order}
        turns = list(order)
        for number in range(rounds + 1):
            for name in turns:
                turn = [peers.turns[name]() for _ in range(words.turn)]
                if number:  # the first round warms the caches of files
                    times[name].append(turn)
            turns = turns[1:] + turns[:1]
        try:
            calls = peers.calls(max(10, rounds // 4))
        except Skipped as reason:
            calls = []
        for other in peers.others:
            other.end()
        rates = peers.rates(20 * rounds)

    print(f"\n## Launch beside others, {rounds} rounds of {words.turn} runs each by turns, microseconds"
          f"{', at real-time priority' if words.realtime else ''}\n")
    print("; ".join([f"Linux {os.uname().release}, {os.cpu_count()} processors, uid {os.geteuid()}",
                     *filter(None, peers.versions)]))
    for reason in peers.skipped:
        print(reason)
    plain, beside = times[POSIX_SPAWN], times.get(BWRAP_PID_1)
    for which, title in [(0, "to the first byte"), (1, "whole life")]:
        rows = [[title, "median", "p90", "to posix_spawn", "to bwrap --as-pid-1"]]
        for name in order:
            median, late = spread([took[which] for turn in times[name] for took in turn])
            rows.append([name, f"{median:.0f}", f"{late:.0f}", ratio(times[name], plain, which),
                         ratio(times[name], beside, which)])
        table(rows)
    print("\nWhat stands around the work in each case:")
    table([WALLS[0], *(row for row in WALLS[1:] if row[0] in times)], column="---")
    if calls:
        print("\n## One system call, nanoseconds")
        table([["call", "without a filter", "profile strict"], *calls])
    if rates:
        print("\n## Runs a second, one row each")
        table([["case", "threads", "runs a second", "processor time a run, microseconds"], *rates])


if __name__ == "__main__":
    main()
