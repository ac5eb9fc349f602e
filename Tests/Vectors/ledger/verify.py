"""Verifies a ledger with nothing of the project's own: docs/spec/ledger.md in another language.

usage: verify.py FOLDER PUBLIC-KEY-IN-HEX
Needs Python's standard library, and openssl for the signature.
"""
import hashlib, json, pathlib, subprocess, sys, tempfile

TYPE = b"application/vnd.escrow.ledger-head.v1+json"


def sha(*pieces):
    return hashlib.sha256(b"".join(pieces)).digest()


def root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha()
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\x01", root(leaves[:split]), root(leaves[split:]))


def signed(folder, key):
    """The newest head whose signature is good, and its record."""
    best = None
    for number in (0, 1):
        path = folder / f"head.{number}"
        if not path.exists():
            continue
        payload, envelope, line, padding = path.read_bytes().split(b"\n")[:4]
        assert not padding.strip(b" ")
        message = b"DSSEv1 %d %s %d %s" % (len(TYPE), TYPE, len(payload), payload)
        with tempfile.TemporaryDirectory() as scratch:
            files = {"key": bytes.fromhex("302a300506032b6570032100") + key, "message": message,
                     "signature": bytes.fromhex(json.loads(envelope)["signature"])}
            for name, content in files.items():
                pathlib.Path(scratch, name).write_bytes(content)
            done = subprocess.run(
                ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key", "-rawin", "-in", "message",
                 "-sigfile", "signature"], cwd=scratch, capture_output=True)
        assert done.returncode == 0, "the signature is not good"
        head = json.loads(payload)
        assert head["size"] % 2 == number
        if best is None or head["size"] > best[0]["size"]:
            best = head, line
    return best


folder = pathlib.Path(sys.argv[1])
head, last = signed(folder, bytes.fromhex(sys.argv[2]))
lines = (folder / "log").read_bytes().split(b"\n")
assert lines.pop() == b"" and lines[-1] == last
leaves, time = [], ""
for number, line in enumerate(lines, 1):
    commitment, salt = bytes.fromhex(line[15:79].decode()), bytes.fromhex(line[89:153].decode())
    record = line[164:-1]
    assert line == b'{"commitment":"%s","salt":"%s","record":%s}' % (
        commitment.hex().encode(), salt.hex().encode(), record)
    assert sha(salt, record) == commitment, f"record {number} was altered"
    entry = json.loads(record)
    assert entry["sequence"] == number and entry["time"] >= time
    time = entry["time"]
    leaves.append(sha(b"\x00", commitment))
assert len(leaves) == head["size"] and root(leaves).hex() == head["root"] and time == head["time"]
print(f"{head['size']} records, root {head['root']}")
