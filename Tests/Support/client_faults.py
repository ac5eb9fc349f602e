"""What SDK/python makes of a service that answers wrongly, and of words that cannot be sent. Standard library only."""

import json
import os
import pty
import socket
import subprocess
import sys
import tempfile
import threading
import traceback

import page_kit

ROOT = sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "SDK/python"))
sys.dont_write_bytecode = True
import escrow  # noqa: E402

check = page_kit.Checks()
CANARY = "canary-40313370"


class Service:
    """Answers each request with the same body."""

    def __init__(self, folder, body, status=200):
        self.path = os.path.join(folder, "service.sock")
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.head = f"HTTP/1.1 {status} x\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        self.body = body
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(8)
        self.heard = b""
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        connection, _ = self.listener.accept()
        with connection:
            self.heard = connection.recv(65536)
            try:
                connection.sendall(self.head + self.body)
                # What is closed with bytes unread loses what was written.
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:
                pass


def failure(call):
    """The error as a program's log has it, with all that it holds."""
    try:
        call()
    except escrow.EscrowError as error:
        held = [error, error.__cause__, error.__context__]
        return error.code, "".join(traceback.format_exception(type(error), error, error.__traceback__)) + "".join(str(vars(one)) for one in held if one)
    except BaseException as error:  # noqa: B036 — whatever else comes out is the fault.
        return type(error).__name__, str(error)
    return None, ""


def words(folder):
    service = Service(folder, b"{}")
    for name, call in [
        ("token", lambda: escrow.Escrow("org.example.a", socket=service.path, token=CANARY + "\n").schema()),
        ("token", lambda: escrow.Escrow("org.example.a", socket=service.path, token=CANARY + "\u00e4").schema()),
        ("key", lambda: escrow.Escrow("org.example.a", socket=service.path).run("c", key=CANARY + "\r\nX: y")),
    ]:
        code, log = failure(call)
        check(f"a {name} that is no header's is refused, and shown nowhere", code == "E1006" and CANARY not in log, log)
    check("nothing of it was sent", service.heard == b"", service.heard)


def answers(folder):
    def asked(body, status=200, call="run"):
        app = escrow.Escrow("org.example.a", socket=Service(folder, body, status).path)
        return failure(lambda: app.run("c") if call == "run" else getattr(app, call)(*([] if call == "schema" else ["c"])))

    quoted = json.dumps(CANARY).encode()
    for name, body, status, call in [
        ("no JSON", b'{"value":' + quoted, 200, "run"), ("no object", b"[" + quoted + b"]", 200, "run"),
        ("no member", b'{"other":' + quoted + b"}", 200, "run"), ("no base64", b'{"bytes":"' + CANARY.encode() + b'"}', 200, "run"),
        ("bytes that are no text", b'{"bytes":[' + quoted + b"]}", 200, "run"), ("deep", b"[" * 200_000, 200, "run"),
        ("a table without rows", b'{"value":1,"columns":[' + quoted + b"]}", 200, "run"),
        ("a problem without members", b'{"code":1}', 400, "run"), ("no status", b'{"status":[]}', 200, "status"),
        ("no tables", b'{"tables":{}}', 200, "schema"),
        ("too much", b'{"value":"' + b"x" * (33 << 20) + b'"}', 200, "run"),
    ]:
        code, log = asked(body, status, call)
        check(f"an answer that is wrong is an EscrowError, and holds nothing of it: {name}",
              code == "E1003" and CANARY not in log, f"{code} {log[:2000]}")
    app = escrow.Escrow("org.example.a", socket=Service(folder, b'{"value":null}').path)
    check("what is right is given", app.run("c") is None)


def shell(folder):
    """Bytes of a plugin's are not for a terminal."""
    body = b'{"bytes":"G11jOw==","mediaType":"image/png"}'
    environment = {**os.environ, "ESCROW_SOCKET": Service(folder, body).path, "PYTHONPATH": os.path.join(ROOT, "SDK/python"),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "escrow", "c"]
    ours, theirs = pty.openpty()
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE)
    os.set_blocking(ours, False)
    try:
        shown = os.read(ours, 4096)
    except BlockingIOError:
        shown = b""
    check("a terminal is shown no bytes of a plugin's", shown == b"" and b"4 bytes" in done.stderr, (shown, done.stderr))
    Service(folder, body)
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    check("a file gets them", done.stdout == b"\x1b]c;", done)


def full(folder):
    """Another user's socket whose backlog is full: who connects would wait for ever."""
    if os.geteuid() != 0:
        return
    path = os.path.join(folder, "full.sock")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(0)
    waiting = []
    while True:
        one = socket.socket(socket.AF_UNIX)
        one.setblocking(False)
        waiting.append(one)
        if one.connect_ex(path) != 0:
            break
    os.chown(path, 65534, 65534)
    code, log = failure(lambda: escrow.Escrow("org.example.a", socket=path).run("c"))
    check("another user's socket is not waited for", code == "E1251" and "another user" in log, log)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="svc") as place:
        words(place)
        answers(place)
        shell(place)
        full(place)
    sys.exit(1 if check.failed else 0)
