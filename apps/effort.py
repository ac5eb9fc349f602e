#!/usr/bin/env python3
"""Lines that it takes to put each app on the escrow, against the direct way: a table in Markdown, without comments, docstrings and blank
lines.

    effort.py [--check FILE]      with --check: whether FILE has the table

With the escrow somebody writes the app and, once for all apps that need the same, its plugins and their manifests; what other plugins
share is counted with each. The direct way is the app in `direct`, and what it shares with others."""

import ast
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PLUGINS = {
    "bluesky": ["post-picture", "profile-picture"], "covid-alert": ["share-keys", "check-exposure"],
    "duckduckgo": ["nearby-results", "voice-to-text"], "nextcloud": ["show-map", "back-up-photos"],
    "signal": ["find-contacts", "send-picture", "share-place", "find-place"], "simplenote": ["send-note"],
    "vlc": ["media-list", "media-control"], "wikipedia": ["nearby-articles"], "wordpress": ["write-post"],
    "home-assistant": ["report-place", "report-activity", "voice-assist"],
}
SHARED = {"device": "apps/direct/device.py", "p256": "Plugins/check-exposure/p256.py", "blinding": "apps/direct/blinding.py",
          "places": "Plugins/find-place/places.py", "small": "Plugins/post-picture/small.py", "hearing": "Plugins/voice-to-text/hearing.py"}


def python(text):
    """Lines with code: those of a docstring are none."""
    tree = ast.parse(text)
    documented = set()
    for node in ast.walk(tree):
        first = getattr(node, "body", [None])
        first = first[0] if isinstance(first, list) and first else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            documented.update(range(first.lineno, first.end_lineno + 1))
    return sum(number not in documented and bool(line.strip()) and not line.strip().startswith("#")
               for number, line in enumerate(text.splitlines(), 1))


def count(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".py") or text.startswith("#!/usr/bin/env python3"):
        return python(text)
    return sum(bool(line.strip()) and not line.strip().startswith(("#", "//")) for line in text.splitlines())


def imported(path):
    """The shared modules that a file takes in."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    return [name for name in SHARED if re.search(rf"^(import|from) {name}\b", text, re.M)]


def plugin(name):
    """Lines of its own, and of what it shares."""
    folder = f"Plugins/{name}"
    if os.path.exists(f"{ROOT}/{folder}/Package.swift"):
        # What goes into the program that has the plugin's name; a benchmark beside it does not.
        return sum(count(path) for path in swift(folder) if "-cost/" not in path), []
    return count(f"{folder}/main.py"), imported(f"{folder}/main.py")


def swift(folder):
    return [os.path.relpath(path, ROOT) for path in glob.glob(f"{ROOT}/{folder}/Sources/**/*.swift", recursive=True)]


def table():
    rows, sums = [], [0] * 5
    for app, plugins in PLUGINS.items():
        ours = count(f"apps/{app}/{app}")
        code, shared = 0, set()
        for name in plugins:
            own, others = plugin(name)
            code += own
            shared.update(others)
        code += sum(count(SHARED[name]) for name in shared)
        manifests = sum(count(f"Manifests/{name}.json") for name in plugins)
        direct = count(f"apps/direct/{app}")
        beside = sum(count(SHARED[name]) for name in imported(f"apps/direct/{app}"))
        numbers = [ours, code, manifests, direct, beside]
        sums = [one + other for one, other in zip(sums, numbers)]
        rows.append([app.replace("-", " ")] + [str(number) for number in numbers])
    rows.append(["all"] + [str(number) for number in sums])
    heads = ["app", "app on the escrow", "its plugins", "their manifests", "app without", "what it shares"]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] + ["--:"] * 5] + rows)


if sys.argv[1:2] == ["--check"]:
    with open(sys.argv[2], encoding="utf-8") as page:
        if table() not in page.read():
            sys.exit(f"{sys.argv[2]} has another table than\n{table()}")
else:
    print(table())
