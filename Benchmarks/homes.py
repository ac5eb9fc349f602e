"""Escrow homes for benchmarks: sources, installed plugins and grants, made by the command line like everybody's."""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
APP = "org.example.bench"


class Refused(Exception):
    """escrow said no, with an error code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Homes:
    """Makes homes in a folder. `packages` holds the packed sample plugins and the key that they are signed with."""

    def __init__(self, escrow, packages, folder):
        self.escrow, self.packages, self.folder = os.path.realpath(escrow), os.path.realpath(packages), folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, home, *words):
        """Runs escrow; gives its stdout and stderr. Raises Refused when it fails."""
        done = subprocess.run([self.escrow, *words], env=dict(os.environ, ESCROW_HOME=home), stdin=subprocess.DEVNULL,
                              capture_output=True)
        if done.returncode:
            told = done.stderr.decode()
            code = re.search(r"error\[(E\d{4})\]", told)
            raise Refused(code[1] if code else "?", f"escrow {' '.join(words[:2])} ended with {done.returncode}:\n{told}")
        return done.stdout.decode(), done.stderr.decode()

    def make(self, name, kind, source, *plugins):
        """A home with one source, these plugins, and a grant for each."""
        home = self.path(name)
        self.call(home, "init")
        self.call(home, "source", "add", kind, source)
        for plugin in plugins:
            self.install(home, plugin)
        return home

    def install(self, home, plugin):
        """Installs a packed plugin and grants its own query."""
        publisher = os.path.join(self.packages, "publisher")
        key = json.loads(self.call(publisher, "key", "list", "--format", "json")[0])["keys"][0]["publicKey"]
        self.call(home, "trust", "add", "org.example.*", key, "--name", "samples")
        self.call(home, "plugin", "install", self.package(plugin), "--yes")
        self.call(home, "grant", "allow", "--app", APP, "--plugin", plugin)

    def package(self, plugin):
        """The packed plugin: a sample as it lies there; one of Benchmarks/plugins is built where its sources are newer."""
        package = os.path.join(self.packages, plugin + ".escrow")
        source = os.path.join(HERE, "plugins", plugin)
        if not os.path.isdir(source):
            return package
        newest = max(os.path.getmtime(os.path.join(folder, name)) for root in [source, os.path.join(HERE, "..", "SDK")]
                     for folder, _, names in os.walk(root) if "/.build" not in folder for name in names)
        if not os.path.exists(package) or os.path.getmtime(package) < newest:
            print(f"packing {plugin}", file=sys.stderr)
            self.call(os.path.join(self.packages, "publisher"), "plugin", "pack", source, "--key", "samples",
                      "--output", package)
        return package

