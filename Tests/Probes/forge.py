"""Forges packages, as somebody would who has read docs/spec/package.md and envelope.md and owns a key that is trusted.

Shares no code with the host: archives, envelopes and signatures are written here anew. The runner puts this text before a
probe of the family `package`, which defines some of

    build(home)     called first of all, as whoever runs the probes; what it says as it fails is why they cannot be run
    prepare(home)   called before anything is installed
    forge(package)  returns the bytes of a package, which is then installed over the good one
    tamper(home)    called before the plugin is run
    during(home)    runs it itself, and prints how that ended
"""
import base64
import hashlib
import json
import os
import struct
import subprocess
import sys
import time

MANIFEST = "application/vnd.escrow.plugin-manifest.v1+json"
ID = "org.escrow.probes.good"
PROGRAM = "bin/probe"


def octal(value, width):
    return b"%0*o" % (width, value)


def header(name, size, mode=b"0000644", kind=b"0", link=b"", prefix=b"", owner=b"0000000", time=b"00000000000",
           magic=b"ustar\0" b"00", user=b"", length=None, checksum=None):
    """A header of ustar, as POSIX.1-2017 pax has it; without arguments the one that packages have."""
    block = bytearray(512)

    def put(offset, text):
        block[offset:offset + len(text)] = text

    put(0, name if isinstance(name, bytes) else name.encode())
    put(100, mode)
    put(108, owner)
    put(116, owner)
    put(124, octal(size, 11) if length is None else length)
    put(136, time)
    put(148, b" " * 8)
    put(156, kind)
    put(157, link)
    put(257, magic)
    put(265, user)
    put(329, b"0000000")
    put(337, b"0000000")
    put(345, prefix)
    put(148, octal(sum(block), 6) + b"\0 " if checksum is None else checksum)
    return bytes(block)


def padding(size):
    return bytes(-size % 512)


def member(name, content=b"", **fields):
    return header(name, len(content), **fields) + content + padding(len(content))


def preauthenticated(payload, kind):
    return b"DSSEv1 %d %s %d " % (len(kind), kind.encode(), len(payload)) + payload


class Package:
    """The good package, taken apart."""

    def __init__(self, data, home):
        self.home = home
        self.files = []
        offset = 0
        while data[offset]:
            name = data[offset:offset + 100].rstrip(b"\0").decode()
            size = int(data[offset + 124:offset + 135], 8)
            self.files.append([name, data[offset + 512:offset + 512 + size]])
            offset += 512 + size + len(padding(size))
        envelope = json.loads(self.files.pop(0)[1])
        self.text = base64.b64decode(envelope["payload"])
        self.key_id = envelope["signatures"][0]["keyid"]

    @property
    def manifest(self):
        """The manifest as Python has it; what is changed in a copy goes back by `say`."""
        return json.loads(self.text)

    def say(self, manifest):
        self.text = json.dumps(manifest).encode()
        return self

    def change(self, **members):
        """Replaces members of the manifest."""
        return self.say({**self.manifest, **members})

    def replace(self, old, new):
        """Replaces a piece of the manifest's text."""
        old, new = (x if isinstance(x, bytes) else x.encode() for x in (old, new))
        assert self.text.count(old) >= 1, "the manifest does not say " + repr(old)
        self.text = self.text.replace(old, new, 1)
        return self

    def upgrade(self, **members):
        """The next version, with some members replaced."""
        return self.change(version="1.1.0", sequence=6, **members)

    @property
    def program(self):
        return dict(self.files)[PROGRAM]

    def put(self, program):
        """Another program, with its own digest in the manifest: what a publisher could sign."""
        self.files = [[name, program if name == PROGRAM else data] for name, data in self.files]
        manifest = self.manifest
        manifest["artifacts"][0].update(sha256=hashlib.sha256(program).hexdigest(), size=len(program))
        return self.say(manifest)

    def signature(self, key="probes", payload=None, kind=MANIFEST):
        """An Ed25519 signature, by openssl."""
        message = self.home.scratch("message", preauthenticated(self.text if payload is None else payload, kind))
        return subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.home.key(key), "-in", message],
                              check=True, capture_output=True).stdout

    def envelope(self, signatures=None, kind=MANIFEST):
        """The one spelling of an envelope; `signatures` are pairs of key id and bytes."""
        if signatures is None:
            signatures = [(self.key_id, self.signature(kind=kind))]
        listed = [{"keyid": key, "sig": base64.b64encode(data).decode()} for key, data in signatures]
        return json.dumps({"payloadType": kind, "payload": base64.b64encode(self.text).decode(), "signatures": listed},
                          separators=(",", ":")).encode() + b"\n"

    def archive(self, envelope=None, extra=b"", end=bytes(1024)):
        """The whole package; `extra` stands before its end."""
        data = member("manifest.dsse.json", self.envelope() if envelope is None else envelope)
        for name, content in sorted(self.files):
            data += member(name, content, mode=b"0000755" if name == PROGRAM else b"0000644")
        return data + extra + end


class Home:
    """The escrow home of one probe."""

    def __init__(self, folder):
        self.folder = folder
        self.path = folder + "/home"
        self.plugins = self.path + "/plugins"
        self.plugin = self.plugins + "/" + ID
        self.program = self.plugin + "/" + PROGRAM
        self.envelope = self.plugin + "/manifest.dsse.json"

    def scratch(self, name, data):
        path = "%s/%s" % (self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def key(self, name):
        return "%s/keys/%s.key" % (self.path, name)

    def escrow(self, *arguments):
        return subprocess.run([os.environ["ESCROW"], *arguments], capture_output=True, stdin=subprocess.DEVNULL)

    def start(self):
        """Begins a run, and waits until the plugin is there."""
        host = subprocess.Popen([os.environ["ESCROW"], *self.run_arguments, "--param", "behave=behave-slowly"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not self.plugin_of(host.pid) and host.poll() is None:
            time.sleep(0.001)
        return host

    @staticmethod
    def plugin_of(host):
        """The process that a host started; None where there is none."""
        try:
            for task in os.listdir("/proc/%d/task" % host):
                with open("/proc/%d/task/%s/children" % (host, task)) as file:
                    for child in file.read().split():
                        with open("/proc/%s/cmdline" % child) as words:
                            if words.read().startswith("plugin\0"):
                                return int(child)
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None

    @property
    def run_arguments(self):
        return ["run", "good", "--app", os.environ["PROBE_APP"], "--format", "json"]

    def run(self):
        return self.told(self.escrow(*self.run_arguments))

    @staticmethod
    def told(done, output=None, words=None):
        """How a command ended, in the words of the table."""
        output = done.stdout if output is None else output
        words = done.stderr if words is None else words
        if done.returncode == 0:
            return "prints " + output.decode().rstrip("\n")
        code = words.decode().partition("[")[2].partition("]")[0]
        return "code %s exit %d" % (code or "none", done.returncode)

    def ended(self, host):
        """Waits for a run that was begun."""
        output, words = host.communicate()
        return self.told(host, output, words)

    def other_key(self, *patterns):
        """A key of another publisher, trusted for the patterns given; returns its id."""
        self.escrow("key", "new", "other")
        keys = json.loads(self.escrow("key", "list", "--format", "json").stdout)["keys"]
        other = next(key for key in keys if key["name"] == "other")
        for pattern in patterns:
            assert self.escrow("trust", "add", pattern, other["publicKey"]).returncode == 0
        return other["fingerprint"]


def good(home):
    """The package that was installed."""
    with open(home.folder + "/../good.escrow", "rb") as file:
        return Package(file.read(), home)


def evil(program):
    """The same program, which returns 6 instead of 1."""
    changed = program.replace(b'{"result":{"n":1}}', b'{"result":{"n":6}}')
    assert changed != program
    return changed


def headers(program, kind):
    """Where the program headers of a kind stand in an executable. System V ABI, chapter 5"""
    start, = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for at in range(start, start + size * count, size):
        if struct.unpack_from("<I", program, at)[0] == kind:
            yield at


def day(distance):
    """A moment, in days from now."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400 * distance))


def find(tree, name):
    """The first member of that name in some JSON."""
    if isinstance(tree, dict) and name in tree:
        return tree[name]
    for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []:
        found = find(inner, name)
        if found is not None:
            return found
    return None


other_platform = "linux-aarch64" if os.uname().machine == "x86_64" else "linux-x86_64"


def main():
    home = Home(os.path.dirname(os.path.abspath(__file__)))
    deed = sys.argv[1]
    if deed == "forge":
        data = forge(good(home))
        if data is not None:
            home.scratch("probe.escrow", data)
    else:
        globals()[deed](home)
