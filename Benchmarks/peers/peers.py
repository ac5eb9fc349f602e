"""Those who take part in the launch benchmark, and how each is started."""

import json
import os
import shutil
import statistics
import subprocess
import sys

from bpf import assemble

HERE = os.path.dirname(os.path.realpath(__file__))
ROW = b'{"id":"u1","phoneNumber":"(312) 555-010"}\n'
POSIX_SPAWN, BWRAP, BWRAP_PID_1 = "posix_spawn, no walls", "bwrap", "bwrap --as-pid-1"
COLD, WARM = "escrow, cold", "escrow, warm"
WASM_WARM, WASM_FRESH, WASM_COLD = "wasmtime, warm engine", "wasmtime, new engine", "wasmtime, new process"
DENO = "deno, new process"


class Skipped(Exception):
    """A peer that cannot take part, and why."""


class Other:
    """A process that makes one run for each line that it gets, and tells it in one line."""

    def __init__(self, command, environment=None):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def turn(self, word):
        self.process.stdin.write(word.encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.command[0]} ended with {self.process.wait()}")
        told = json.loads(line)
        if told.get("good") is False:
            sys.exit(f"{' '.join(self.command[:3])}, {word}: a wrong line came out: {line.decode()}")
        return told["firstByteUs"], told["wallUs"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def built(name, folder, *options):
    """Compiles a program of peers/; gives its path."""
    path = os.path.join(folder, name)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", *options, "-o", path, os.path.join(HERE, name + ".c")], check=True)
    return path


def bare(name, folder):
    """The same, static and without a C library."""
    return built(name, folder, "-static", "-nostdlib", "-ffreestanding", "-fno-stack-protector")


def filter_for_bwrap(escrow):
    """The filter of the profile strict that we use where nobody can be notified, as bwrap can take it. bwrap installs it
    before it executes the program and before it waits for it, so those two calls are allowed as well."""
    done = subprocess.run([escrow, "doctor", "--filter", "strict", "--bpf", "--format", "json"], capture_output=True)
    if done.returncode:
        raise Skipped("this escrow does not print its filter")
    execve_and_wait4 = {"x86_64": (59, 61), "aarch64": (221, 260)}[os.uname().machine]
    return assemble(json.loads(done.stdout)["programWithoutListener"], execve_and_wait4)


def bwrap(work, *more):
    program = shutil.which("bwrap")
    if program is None:
        raise Skipped("bwrap is not installed")
    return [program, "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL", "--clearenv", "--hostname", "plugin", "--ro-bind", work, "/plugin",
            "--remount-ro", "/", "--chdir", "/", *more, "--seccomp", "9", "--", "/plugin"]


def version(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.split("\n")[0].strip() if done.returncode == 0 else None


class Peers:
    """Those who take part: name of the case to a function that makes one run and gives its two times."""

    def __init__(self, words, folder):
        self.words, self.folder = words, folder
        self.turns, self.versions, self.skipped, self.others = {}, [], [], []
        self.row = self.write("row", ROW)
        work, spawner = bare("work", folder), built("spawner", folder)
        commands = {POSIX_SPAWN: [work]}
        self.attempt("bwrap", lambda: self.add_bwrap(commands, work))
        self.attempt("deno", lambda: self.add_deno(commands))
        self.attempt("wasmtime", lambda: self.add_wasmtime(commands))
        cases = self.write("cases", "".join("\t".join(c) + "\n" for c in commands.values()).encode())
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "DENO_DIR": folder, "DENO_NO_UPDATE_CHECK": "1"}
        filter = [self.path("filter")] if BWRAP in commands else []
        others = self.other([spawner, cases, self.row, '{"digits":10}', *filter], environment)
        for number, name in enumerate(commands):
            self.turns[name] = lambda number=number: others.turn(str(number))
        for name, command in [(COLD, "cold"), (WARM, "warm")]:
            self.attempt(name, lambda: self.turns.update({name: self.ours(command, work, self.row)}))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as out:
            out.write(content)
        return self.path(name)

    def other(self, *command):
        self.others.append(Other(*command))
        return self.others[-1]

    def attempt(self, what, action):
        try:
            action()
        except Skipped as reason:
            self.skipped.append(f"SKIP: {what}: {reason}")

    def add_bwrap(self, commands, work):
        commands_of_bwrap = {BWRAP: bwrap(work), BWRAP_PID_1: bwrap(work, "--as-pid-1")}
        filter = self.write("filter", filter_for_bwrap(self.words.escrow))
        for command in commands_of_bwrap.values():
            with open(filter, "rb") as nine:
                os.dup2(nine.fileno(), 9)
            done = subprocess.run(command, input=ROW, capture_output=True, pass_fds=[9])
            os.close(9)
            if done.returncode:
                raise Skipped(f"bwrap does not run here: {done.stderr.decode().strip()[:200]}")
        commands.update(commands_of_bwrap)
        self.versions.append(version("bwrap", "--version"))

    def add_deno(self, commands):
        program = os.path.join(os.path.dirname(self.words.python or "/nowhere/"), "deno")
        told = version(program, "--version") if os.path.exists(program) else None
        if told is None:
            raise Skipped("not installed; `make bench` installs it from PyPI where it can")
        commands[DENO] = [program, "run", "--no-prompt", "--no-config", "--no-lock", os.path.join(HERE, "work.js")]
        self.versions.append(told)

    def add_wasmtime(self, commands):
        python = self.words.python
        told = python and version(python, "-I", "-c", "import importlib.metadata as m, wasmtime; print(m.version('wasmtime'))")
        if not told:
            raise Skipped("not installed; `make bench` installs it from PyPI where it can")
        script, compiled = os.path.join(HERE, "wasm.py"), self.path("work.cwasm")
        subprocess.run([python, "-I", script, "compile", os.path.join(HERE, "work.wat"), compiled], check=True)
        for name, how in [(WASM_WARM, "warm"), (WASM_FRESH, "fresh")]:
            process = self.other([python, "-I", script, how, compiled, self.row])
            self.turns[name] = lambda process=process: process.turn("")
        commands[WASM_COLD] = [python, "-I", script, "cold", compiled]
        self.versions.append(f"wasmtime {told}, {version(python, '--version')}")

    def ours(self, command, program, row):
        process = self.other([self.words.sandbox, command, program, "1000000", "--input", row, "--pace", "stdin"])
        try:
            process.turn("")
        except SystemExit:
            raise Skipped(f"this sandbox-bench has no `{command}`, or takes no turns") from None
        return lambda: process.turn("")

    def calls(self, rounds):
        """What the filter adds to one system call, in nanoseconds: the difference between many calls and none, each the
        fastest of the rounds. Rows of a table."""
        program, many = bare("calls", self.folder), 200_000
        cases = self.write("calls-cases", program.encode() + b"\n")
        rows = {name: self.write("calls-" + name, f"{kind} {times}".encode())
                for name, kind, times in [("none", "p", 0), ("getppid", "p", many), ("fcntl", "f", many)]}
        outside, inside = {}, {}
        for name, row in rows.items():
            other = self.other([os.path.join(self.folder, "spawner"), cases, row, "done"])
            outside[name] = lambda other=other: other.turn("0")
            inside[name] = self.ours("cold", program, row)
        times = {(side, name): [] for side in (0, 1) for name in rows}
        for _ in range(rounds):
            for name in rows:
                for side, turns in enumerate((outside, inside)):
                    times[side, name].append(turns[name]()[1])
        nanoseconds = {key: (min(values) - min(times[key[0], "none"])) / many * 1e3
                       for key, values in times.items()}
        return [[told, f"{nanoseconds[0, name]:.0f}", f"{nanoseconds[1, name]:.0f}"]
                for name, told in [("getppid", "getppid, allowed without a look at arguments"),
                                   ("fcntl", "fcntl, allowed by its arguments")]]


    def rates(self, runs):
        """How many runs a second all processors together make, one after another on each of some threads. Rows of a
        table; those that this sandbox-bench does not know are left out."""
        program, rows = os.path.join(self.folder, "work"), []
        for name, command in [(COLD, "cold"), (WARM, "warm")]:
            for threads in sorted({1, os.cpu_count(), 2 * os.cpu_count()}):
                done = subprocess.run([self.words.sandbox, command, program, str(runs), "--input", self.row, "--threads",
                                       str(threads)], capture_output=True, text=True)
                told = next((json.loads(line) for line in done.stdout.splitlines() if "perSecond" in line), None)
                if done.returncode == 0 and told:
                    rows.append([name, str(threads), f"{told['perSecond']:,}", f"{told['cpuUsPerRun']:,}"])
        return rows
