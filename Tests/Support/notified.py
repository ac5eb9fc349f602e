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
import page_kit

check = page_kit.Checks()
ESCROW, ROOT = sys.argv[1:3]
NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
MARKER = "CANARY-Ada-Canaris"


class Desktop:
    """A session's bus with a daemon of notifications on it."""

    def __init__(self):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"],
                                    stdout=subprocess.PIPE, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.daemon = subprocess.Popen(
            [sys.executable, "-m", "dbusmock", "--template", "notification_daemon",
             "--parameters", json.dumps({"capabilities": "body body-markup actions"})],
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

    def choose(self, number, action):
        self.mock.EmitSignal(NAME, "ActionInvoked", "us", [dbus.UInt32(number), action])
        self.close(number, 2)

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

    def __init__(self, socket, app, wait):
        super().__init__()
        self.words = ["curl", "-s", "-w", "\n%{http_code}", "--unix-socket", socket, "http://localhost/v1/runs",
                      "-H", "Content-Type: application/json", "-H", f"Prefer: wait={wait}", "-d",
                      json.dumps({"app": app, "compute": "phone-check", "says": "So that you can mend <b>them</b>."})]
        self.start()

    def run(self):
        self.status = subprocess.run(self.words, capture_output=True, text=True).stdout.rsplit("\n", 1)[1]

    def answer(self):
        self.join()
        return self.status


def waiting(home):
    return [one["app"] for one in json.loads(home.run("pending", "--format", "json"))["pending"]]


def tries(desktop, home, socket):
    first = Ask(socket, "org.example.notes", 120)
    eventually("a notification is shown", lambda: len(desktop.shown()) == 1)
    shown = desktop.shown()[0]
    check("it names the app and what it wants", "Notes" in shown["title"] + shown["body"]
          and "phone numbers" in shown["title"] + shown["body"], shown)
    check("it holds nothing of the data", MARKER not in str(shown), shown)
    check("no mark-up of the app's is drawn", "<b>" not in shown["body"], shown)
    check("no is offered first, and as easily as yes", shown["actions"] == [
        "no", "No", "once", "Once", "today", "Today"], shown["actions"])
    check("it is no more urgent than any other", shown["urgency"] <= 1, shown["urgency"])
    second = Ask(socket, "org.example.notes", 120)
    eventually("both wait", lambda: second.is_alive() and waiting(home) == ["org.example.notes"])
    desktop.choose(1, "today")
    check("a yes on the desktop has both runs answered", [first.answer(), second.answer()] == ["200", "200"])
    check("one question was shown for both", len(desktop.shown()) == 1, desktop.shown())

    other = Ask(socket, "org.example.other", 120)
    eventually("another app's question is shown", lambda: len(desktop.shown()) == 2)
    desktop.choose(2, "no")
    check("a no is an answer", other.answer() == "403", other.status)

    third = Ask(socket, "org.example.third", 15)
    eventually("a third app's question is shown", lambda: len(desktop.shown()) == 3)
    desktop.close(3, 1)
    check("one that is closed is no answer", third.answer() == "409" and "org.example.third" in waiting(home),
          third.status)


def main():
    with page_kit.folder() as folder, tempfile.TemporaryDirectory(prefix="svc") as runtime:
        home = page_kit.Home(ESCROW, ROOT, folder)
        card = os.path.join(folder, "contacts.vcf")
        with open(card, "w", newline="\r\n") as file:
            file.write(f"BEGIN:VCARD\nVERSION:3.0\nFN:{MARKER}\nN:;{MARKER};;;\nTEL:+12025550101\nEND:VCARD\n")
        home.run("source", "add", "contacts", card)
        home.install("phone-check")
        desktop = Desktop()
        service = subprocess.Popen(
            [ESCROW, "serve", "--runtime", runtime], cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, env={**home.environment, "DBUS_SESSION_BUS_ADDRESS": desktop.address})
        try:
            service.stderr.readline()
            tries(desktop, home, f"{runtime}/service.sock")
        finally:
            service.terminate()
            service.wait()
            desktop.end()


if __name__ == "__main__":
    main()
    sys.exit(1 if check.failed else 0)
