"""The sheets of the ten apps: what the individual is shown before they decide, held to the page that has them."""

import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHEETS = os.path.join(ROOT, "docs/ten-apps-sheets.md")

SAMPLES = {"repo": "did:plc:ada", "text": "hello", "createdAt": "2026-11-25T08:00:00Z", "certificate": "abc123", "query": "cafes",
           "count": "3", "user": "ada", "chat": "c7", "subject": "An invitation", "title": "A walk", "webhook": "cafe01", "action": "play"}

written = {}


def sheet(day, plugin, app):
    """Holds the page of sheets to what the individual is shown before they decide."""
    with open(os.path.join(ROOT, "Manifests", f"{plugin}.json")) as file:
        names = json.load(file).get("parameters", {})
    words = [word for name in names for word in ("--param", f"{name}={SAMPLES[name]}")]
    shown = day.run("run", plugin, "--app", app, "--dry-run", *words).partition("decision  ")[0]
    # The key is each checkout's own, and so is a port.
    shown = re.sub(r"(:|port\s+)\d{4,5}\b", r"\1PORT", re.sub(r"SHA256:[\w+/]+", "SHA256:…", shown)).rstrip()
    text = f"## {plugin}\n\n```text\n{shown}\n```\n"
    written[plugin] = text
    if "ESCROW_WRITE_VECTORS" not in os.environ:
        with open(SHEETS, encoding="utf-8") as page:
            assert text in page.read(), f"docs/ten-apps-sheets.md has another sheet than\n{shown}"


def write():
    """Writes the page anew, of all that were shown."""
    with open(SHEETS, "w", encoding="utf-8") as page:
        page.write("# The sheets of the ten apps\n\nWhat the individual reads before they decide, for each row of [the table](ten-apps.md). "
                   "`ESCROW_WRITE_VECTORS=1 make apps` writes this page anew.\n\n" + "\n".join(written.values()))
