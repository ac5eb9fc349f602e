"""A home with sample data, and its page: what the tests of the page share. Standard library only."""

import http.server
import json
import os
import signal
import subprocess
import tempfile
import threading

# The threads that start tests' programs hold back most signals, and what is started inherits that: SIGTERM would end nobody.
signal.pthread_sigmask(signal.SIG_SETMASK, ())


class Checks:
    """What holds and what does not; a line of JSON each, which the Swift test reads."""

    def __init__(self):
        self.failed = 0

    def __call__(self, name, holds, detail=""):
        self.failed += not holds
        print(json.dumps({"check": name, "holds": bool(holds), "detail": str(detail)[:6000]}), flush=True)


class Home:
    """An escrow home of its own, with the sample contacts, photos and tracks."""

    def __init__(self, escrow, root, folder):
        self.escrow, self.root = escrow, root
        self.path = os.path.join(folder, "home")
        self.environment = {**os.environ, "ESCROW_HOME": self.path, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        self.run("init")
        keys = json.loads(self.run("key", "list", "--format", "json", home=f"{root}/.build/plugins/publisher"))
        self.run("trust", "add", "org.example.*", keys["keys"][0]["publicKey"], "--name", "Samples")

    def run(self, *words, status=0, home=None, given=None):
        environment = {**self.environment, "ESCROW_HOME": home or self.path}
        done = subprocess.run(
            [self.escrow, *words], env=environment, capture_output=True, text=True, cwd=self.root,
            **({"input": given} if given else {"stdin": subprocess.DEVNULL}))
        if status is not None and done.returncode != status:
            raise SystemExit(f"escrow {' '.join(words)}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def install(self, *plugins):
        for plugin in plugins:
            self.run("plugin", "install", f"{self.root}/.build/plugins/{plugin}.escrow", "--yes")

    def ask(self, plugin, app, *words):
        """A run that nobody decided about: it ends undecided, and waits."""
        self.run("run", plugin, "--app", app, *words, status=11)


class Sink:
    """A server without TLS that takes what it is sent, and keeps it."""

    def __init__(self):
        self.bodies = bodies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_PUT(self):
                bodies.append(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Page:
    """`escrow page`, until the block ends."""

    def __init__(self, home):
        self.home = home

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.home.escrow, "page", "--no-browser"], env=self.home.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True, cwd=self.home.root)
        self.address = self.process.stdout.readline().strip()
        self.authority = self.address.split("/")[2]
        self.port = int(self.authority.rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def folder():
    return tempfile.TemporaryDirectory(prefix="escrow-page-")
