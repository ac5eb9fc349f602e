"""A desktop's notifications, played by python-dbusmock: what an app asks is shown there, and can be answered there.
notified.py ESCROW ROOT, by the system's own Python, which has D-Bus."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time

import dbus
import dbus.lowlevel
import page_kit

check = page_kit.Checks()
ESCROW, ROOT = sys.argv[1:3]
NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
MARKER = "CANARY-Ada-Canaris"


class Desktop:
    """A session's bus with a daemon of notifications on it."""

    def __init__(self, capabilities):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"],
                                    stdout=subprocess.PIPE, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.daemon = subprocess.Popen(
            [sys.executable, "-m", "dbusmock", "--template", "notification_daemon",
             "--parameters", json.dumps({"capabilities": capabilities})],
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address}, stdout=subprocess.DEVNULL)
        self.connection = dbus.bus.BusConnection(self.address)
        eventually("the daemon is there", lambda: self.connection.name_has_owner(NAME))
        self.mock = dbus.Interface(self.connection.get_object(NAME, PATH), "org.freedesktop.DBus.Mock")

    def shown(self):
        """Every notification so far: its number, title, body, actions, and for how long."""
        calls = [call for call in self.mock.GetCalls() if call[1] == "Notify"]
        return [{"id": number + 1, "title": str(call[2][3]), "body": str(call[2][4]),
                 "actions": [str(word) for word in call[2][5]], "urgency": int(call[2][6].get("urgency", 1))}
                for number, call in enumerate(calls)]

    def press(self, number, key):
        self.mock.EmitSignal(NAME, "ActionInvoked", "us", [dbus.UInt32(number), key])

    def choose(self, number, action):
        self.press(number, self.key(number, action))
        self.close(number, 2)

    def key(self, number, action):
        """What the button stands for that begins so."""
        return next(key for key in self.shown()[number - 1]["actions"][::2] if key.startswith(action + "-"))

    def forge(self, process, number, key):
        """Another connection says that the button was pressed, to all and to the process alone."""
        other = dbus.bus.BusConnection(self.address)
        names = [name for name in other.list_names() if name.startswith(":")
                 and self.connection.call_blocking("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                                   "GetConnectionUnixProcessID", "s", [name]) == process]
        for name in [None, *names]:
            signal = dbus.lowlevel.SignalMessage(PATH, NAME, "ActionInvoked")
            signal.append(dbus.UInt32(number), key, signature="us")
            if name:
                signal.set_destination(name)
            other.send_message(signal)
        # Once the bus answers, it has passed on what came before.
        other.list_names()
        other.close()
        return names

    def close(self, number, why):
        self.mock.EmitSignal(NAME, "NotificationClosed", "uu", [dbus.UInt32(number), dbus.UInt32(why)])

    def end(self):
        for process in [self.daemon, self.bus]:
            process.terminate()
            process.wait()


def eventually(what, holds):
    end = time.monotonic() + 300
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"never: {what}")
        time.sleep(0.02)


class Ask(threading.Thread):
    """An app's run, which waits for the individual."""

    def __init__(self, socket, app, wait, says="So that you can mend <b>them</b>.", token=None):
        super().__init__()
        self.words = ["curl", "-s", "-w", "\n%{http_code}", "--unix-socket", socket, "http://localhost/v1/runs",
                      "-H", "Content-Type: application/json", "-H", f"Prefer: wait={wait}", "-d",
                      json.dumps({"app": app, "compute": "phone-check", "says": says})]
        if token:
            self.words += ["-H", f"Authorization: Bearer {token}"]
        self.start()

    def run(self):
        self.status = subprocess.run(self.words, capture_output=True, text=True).stdout.rsplit("\n", 1)[1]

    def answer(self):
        self.join()
        return self.status


def told(desktop, text):
    """The command lines on this desktop that have a text in them."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ") as environment, open(f"/proc/{process}/cmdline") as words:
                if desktop.address in environment.read():
                    found.append(words.read())
        except (OSError, UnicodeDecodeError):
            continue
    return [words for words in found if text in words] if found else ["nobody is on this desktop"]


def waiting(home):
    return [one["app"] for one in json.loads(home.run("pending", "--format", "json"))["pending"]]


def tries(desktop, home, socket, service):
    first = Ask(socket, "org.example.notes", 120)
    eventually("a notification is shown", lambda: len(desktop.shown()) == 1)
    shown = desktop.shown()[0]
    check("it names the app and what it wants", "Notes" in shown["title"] + shown["body"]
          and "phone numbers" in shown["title"] + shown["body"], shown)
    check("it holds nothing of the data", MARKER not in str(shown), shown)
    check("no mark-up of the app's is drawn", "mend &lt;b&gt;them&lt;/b&gt;." in shown["body"] and "<" not in shown["body"],
          shown)
    check("no is offered first, and as easily as yes", shown["actions"][1::2] == ["No", "Once", "Today"]
          and [key.split("-")[0] for key in shown["actions"][::2]] == ["no", "once", "today"], shown["actions"])
    check("the question stands in no command line", not told(desktop, shown["title"]),
          told(desktop, shown["title"]))
    check("it is no more urgent than any other", shown["urgency"] <= 1, shown["urgency"])
    second = Ask(socket, "org.example.notes", 120)
    eventually("both wait", lambda: second.is_alive() and waiting(home) == ["org.example.notes"])
    desktop.choose(1, "today")
    check("a yes on the desktop has both runs answered", [first.answer(), second.answer()] == ["200", "200"])
    check("one question was shown for both", len(desktop.shown()) == 1, desktop.shown())

    # All that only claim an id take turns as one; those that are proved have turns of their own.
    check("another claim asks", Ask(socket, "org.example.flood", 0).answer() == "409")
    check("and is not shown so soon", len(desktop.shown()) == 1, desktop.shown())
    tokens = {app: home.run("app", "add", app).strip() for app in ["org.example.other", "org.example.third"]}

    words = r"Thanks.\nIt learns nothing\074b\076. \040x"
    other = Ask(socket, "org.example.other", 120, words, tokens["org.example.other"])
    eventually("another app's question is shown", lambda: len(desktop.shown()) == 2)
    shown = desktop.shown()[1]
    lines = shown["body"].split("\n")
    check("the app's words are one line of the question's", len(lines) == 4 and lines[0].startswith("org.example.other, ")
          and lines[1] == f'The app says: "{words}"' and lines[2].startswith("It learns ") and lines[3] == "Nothing is sent",
          lines)
    check("no word of the app's becomes mark-up", "<" not in shown["body"], shown)
    yes = desktop.key(2, "today")
    desktop.press(99, yes)
    desktop.press(1, yes)
    desktop.press(2, "today")
    desktop.press(2, desktop.key(1, "today"))
    heard = desktop.forge(service, 2, yes)
    desktop.choose(2, "no")
    check("a no is an answer, and what was said before of another number, with another key, or by another is none",
          heard and other.answer() == "403", [heard, other.status])

    third = Ask(socket, "org.example.third", 15, token=tokens["org.example.third"])
    eventually("a third app's question is shown", lambda: len(desktop.shown()) == 3)
    desktop.close(3, 1)
    check("one that is closed is no answer", third.answer() == "409" and "org.example.third" in waiting(home),
          third.status)


def plain(desktop, socket):
    """A desktop without buttons, which draws no mark-up."""
    run = Ask(socket, "org.example.plain", 5)
    eventually("a question is shown as plain text", lambda: len(desktop.shown()) == 1)
    shown = desktop.shown()[0]
    lines = shown["body"].split("\n")
    check("plain text is shown as it is", lines[1] == 'The app says: "So that you can mend <b>them</b>."', lines)
    check("without buttons it says where to answer", not shown["actions"]
          and lines[-1].startswith("Answer: escrow page, or escrow answer q-"), [shown["actions"], lines])
    check("and nothing is answered there", run.answer() == "409", run.status)


class Service:
    """`escrow serve` on a desktop."""

    def __init__(self, home, capabilities):
        self.home, self.desktop = home, Desktop(capabilities)

    def __enter__(self):
        self.runtime = tempfile.TemporaryDirectory(prefix="svc")
        self.process = subprocess.Popen(
            [ESCROW, "serve", "--runtime", self.runtime.name], cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, env={**self.home.environment, "DBUS_SESSION_BUS_ADDRESS": self.desktop.address})
        self.process.stderr.readline()
        self.socket = f"{self.runtime.name}/service.sock"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.runtime.cleanup()
        self.desktop.end()


def main():
    with page_kit.folder() as folder:
        home = page_kit.Home(ESCROW, ROOT, folder)
        card = os.path.join(folder, "contacts.vcf")
        with open(card, "w", newline="\r\n") as file:
            file.write(f"BEGIN:VCARD\nVERSION:3.0\nFN:{MARKER}\nN:;{MARKER};;;\nTEL:+12025550101\nEND:VCARD\n")
        home.run("source", "add", "contacts", card)
        home.install("phone-check")
        with Service(home, "body body-markup actions") as service:
            tries(service.desktop, home, service.socket, service.process.pid)
        with Service(home, "body") as service:
            plain(service.desktop, service.socket)


if __name__ == "__main__":
    main()
    sys.exit(1 if check.failed else 0)
