"""One home, its servers and its apps, and what was seen of them."""

import hashlib
import json
import os
import pty
import shutil
import subprocess
import tempfile
import threading

import servers

from .sheets import ROOT, sheet

HERE = os.path.join(ROOT, "apps")

SECRET = {"bsky.social": "bsky-token-5511", "mail": "mail-password-5512", "wordpress": "site-password-5513",
          "home": "home-token-5514", "chat.example.org": "chat-token-5516", "nextcloud": "cloud-password-5515"}

APP_IDS = {"bluesky": "app.bsky", "covid-alert": "ca.covid-alert", "duckduckgo": "com.duckduckgo", "nextcloud": "com.nextcloud",
           "signal": "org.signal", "simplenote": "com.simplenote", "vlc": "org.videolan.vlc", "wikipedia": "org.wikipedia",
           "wordpress": "org.wordpress", "home-assistant": "io.home-assistant", "identity-copy": "com.example.broker"}

# Whether bubblewrap can make walls here: where it cannot, the apps run without.
WALLS = shutil.which("bwrap") is not None and subprocess.run(
    ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
    capture_output=True).returncode == 0


class Day:
    """One home, its servers, and what was seen."""

    def __init__(self, words):
        self.escrow, self.packages, self.folder = words.escrow, words.packages, words.folder
        self.home = os.path.join(self.folder, "home")
        os.environ.update(ESCROW_HOME=self.home, XDG_STATE_HOME=f"{self.folder}/state", PYTHONDONTWRITEBYTECODE="1")
        if not os.path.isdir(self.home):
            self.run("init")
            keys = json.loads(self.run("key", "list", "--format", "json", "--home", f"{self.packages}/publisher"))
            self.run("trust", "add", "org.example.*", keys["keys"][0]["publicKey"], "--name", "Samples")
        self.server = servers.Server(self.folder)
        with open(f"{self.home}/config.json", "w") as file:
            json.dump(self.server.configuration, file)
        self.text, self.service = "", None
        # Short, since a socket's path has little room.
        self.runtime = tempfile.mkdtemp(prefix="day")
        Day.standing.append(self)
        self.serve()

    standing = []

    def run(self, *words, given=None):
        done = subprocess.run([self.escrow, *words], input=given, text=True, capture_output=True)
        assert done.returncode == 0, f"escrow {' '.join(words)}: {done.stderr}"
        return done.stdout

    def source(self, kind, path):
        self.run("source", "add", kind, path if os.path.isabs(path) else os.path.join(ROOT, path))

    def allow(self, plugin, app):
        self.run("plugin", "install", f"{self.packages}/{plugin}.escrow", "--yes")
        sheet(self, plugin, app)
        self.run("grant", "allow", "--app", app, "--plugin", plugin)

    def keep(self, server, *words):
        self.run("credential", "add", server, *words, given=SECRET[server] + "\n")

    def keep_wrong(self, server, *words):
        self.run("credential", "add", server, *words, given="wrong\n")

    def own(self, name, scheme="https", port=None):
        self.run("endpoint", "set", name, f"{scheme}://{name}.example.org:{port or self.server.port}", "--address", "127.0.0.1")

    def app(self, name, *words, typed=None, status=0, wait=120):
        """Runs an app where the person's data is out of its reach; what it wrote to its stdout. Where they are to pick, they type that on a
        terminal of their own."""
        app = APP_IDS[name]
        home = self.home_of(name)
        if not os.path.isdir(home):
            os.makedirs(home)
            shutil.copy(os.path.join(HERE, name, name), home)
            shutil.copytree(f"{ROOT}/SDK/python/escrow", f"{home}/escrow")
            self.run("app", "add", app, "--no-token")
            if WALLS:
                self.run("app", "check", app, "--runtime", self.runtime)
        if WALLS:
            command = [self.escrow, "app", "run", app, "--runtime", self.runtime, "--", "/usr/bin/env", "PYTHONPATH=/home/app",
                       f"ESCROW_WAIT={wait}", f"/home/app/{name}", *words]
            more = {}
        else:
            command = [f"{home}/{name}", *words]
            more = {"PYTHONPATH": home, "ESCROW_WAIT": str(wait), "ESCROW_SOCKET": f"{self.runtime}/service.sock", "ESCROW_APP": app}
        process = subprocess.Popen(command, cwd=home, env={**os.environ, **more}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        seen = self.pick(typed, process) if typed is not None else ""
        output, self.text = process.communicate()
        assert process.returncode == status, f"{name} ended with {process.returncode}: {self.text}{seen}"
        return output

    def direct(self, name, *words, files={}, secret=None, routes={}):
        """Runs the same app as it is without an escrow, in a home that has the person's files, against the same servers; what it wrote."""
        home = os.path.join(self.folder, "direct")
        os.makedirs(home, exist_ok=True)
        for file, path in ({"photos": "samples/photos", "tracks": "samples/tracks", "contacts.vcf": "samples/contacts.vcf"} | files).items():
            if not os.path.lexists(f"{home}/{file}"):
                os.symlink(os.path.join(ROOT, path), f"{home}/{file}")
        for file, words_of_it in (secret or {}).items():
            with open(f"{home}/{file}", "w") as kept:
                kept.write(words_of_it)
        libraries = [f"{HERE}/direct/route", f"{HERE}/direct"] + [
            f"{ROOT}/Plugins/{folder}" for folder in ("check-exposure", "find-place", "post-picture/wheels", "voice-to-text/wheels")]
        done = subprocess.run(
            ["/usr/bin/python3", os.path.join(HERE, "direct", name), *words], capture_output=True, text=True, cwd=home,
            env={**os.environ, "HOME": home, "PYTHONPATH": ":".join(libraries), "SSL_CERT_FILE": f"{self.folder}/server.pem",
                 "ROUTES": json.dumps({"443": self.server.port} | routes)})
        assert done.returncode == 0, f"{name} without the escrow: {done.stderr}"
        return done.stdout

    def home_of(self, name):
        """What the app has for itself; inside its walls it is `/home/app`."""
        return f"{self.folder}/state/escrow-apps/{APP_IDS[name]}"

    def inside(self, name, file):
        return f"/home/app/{file}" if WALLS else f"{self.home_of(name)}/{file}"

    def pick(self, typed, process):
        """Types on a terminal what is picked, once something is to be."""
        while not (waiting := json.loads(self.run("pending", "--format", "json"))["picks"]):
            try:
                process.wait(0.1)
                return ""
            except subprocess.TimeoutExpired:
                pass
        ours, theirs = pty.openpty()
        os.write(ours, typed.encode())
        terminal = subprocess.Popen([self.escrow, "answer", waiting[0]["id"]], stdin=theirs, stderr=theirs, stdout=theirs,
                                    start_new_session=True)
        os.close(theirs)
        seen = []
        try:
            while piece := os.read(ours, 65536):
                seen.append(piece)
        except OSError:
            pass
        os.close(ours)
        terminal.wait()
        return b"".join(seen).decode(errors="replace")

    def serve(self):
        """Starts the service, anew where it runs: it sees the desktop that there is then."""
        self.end()
        self.service = subprocess.Popen([self.escrow, "serve", "--runtime", self.runtime], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        said = self.service.stderr.readline()
        assert said.startswith("listening at "), said
        threading.Thread(target=self.service.stderr.read, daemon=True).start()

    def end(self):
        if self.service:
            self.service.kill()
            self.service.wait()
            self.service = None

    def access(self, sql):
        return json.loads(self.run("access", sql, "--format", "json"))

    def rows(self, sql):
        answer = self.access(sql)
        return answer["rows"] if isinstance(answer, dict) else answer

    def secrets_are_nowhere(self, output):
        """What the individual keeps is on the wire alone: not with the app, nor in the ledger."""
        told = output + self.text + self.run("egress", "list", "--each", "--format", "json")
        for secret in SECRET.values():
            assert secret not in told, "a secret was told"
        for folder, _, names in os.walk(self.home):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    data = file.read()
                assert not any(secret.encode() in data for secret in SECRET.values()), f"a secret lies in {name}"


def sent(day, host=None):
    return [request for request in day.server.requests if host in (None, request.host)]


def digest(data):
    return hashlib.sha256(data).hexdigest()


def photos_there():
    return {digest(open(os.path.join(folder, name), "rb").read())
            for folder, _, names in os.walk(f"{ROOT}/samples/photos") for name in names}


def place(day):
    row = day.rows("SELECT latitude, longitude FROM Location ORDER BY timestamp DESC LIMIT 1")[0]
    return tuple(row.values()) if isinstance(row, dict) else tuple(row)
