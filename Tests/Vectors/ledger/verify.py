"""Verifies a ledger with nothing of the project's own: docs/spec/ledger.md in another language.

usage: verify.py FOLDER PUBLIC-KEY-IN-HEX
Needs Python's standard library, and openssl for the signature.
"""
import base64, hashlib, json, pathlib, subprocess, sys, tempfile


def sha(*pieces):
    return hashlib.sha256(b"".join(pieces)).digest()


def root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha()
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\x01", root(leaves[:split]), root(leaves[split:]))


def opened(note, key):
    """The lines of a checkpoint whose signature is good."""
    text, below = note[:note.rindex("\n\n") + 1], note[note.rindex("\n\n") + 2:]
    dash, name, signature = below.rstrip("\n").split(" ")
    signature = base64.b64decode(signature, validate=True)
    assert dash == "—" and signature[:4] == sha(name.encode(), b"\n\x01", key)[:4]
    with tempfile.TemporaryDirectory() as scratch:
        files = {"key": bytes.fromhex("302a300506032b6570032100") + key, "message": text.encode(),
                 "signature": signature[4:]}
        for name, content in files.items():
            pathlib.Path(scratch, name).write_bytes(content)
        done = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key", "-rawin", "-in", "message",
             "-sigfile", "signature"], cwd=scratch, capture_output=True)
    assert done.returncode == 0, "the signature is not good"
    return text.split("\n")


folder, key = pathlib.Path(sys.argv[1]), bytes.fromhex(sys.argv[2])
pages = [json.loads(page) for page in (folder / "heads").read_bytes().split(b"\n")[:2]]
newest = max((page["checkpoint"] for page in pages), key=lambda note: int(note.split("\n")[1]))
origin, size, top, *more = opened(newest, key)
words = dict(line.split(" ", 1) for line in more if line)
generation, offset = map(int, words["file"].split())
log = (folder / f"log.{generation}").read_bytes()
lines = log.split(b"\n")
assert lines.pop() == b"" and json.loads(lines[0])["ledger"] == origin.split("/")[1]
leaves, time, place, covers, since = [], "", 0, None, 0
for line in lines:
    found = json.loads(line)
    if "checkpoint" in found:
        told = found["checkpoint"].split("\n")
        covers = hashlib.sha256(log[since:place]).hexdigest()
        assert told[6] == f"covers {covers}" and told[1] == str(len(leaves)), "a checkpoint covers something else"
        assert base64.b64decode(told[2]) == root(leaves), "a checkpoint has another root"
        assert told[5] == "open " + hashlib.sha256(json.dumps(found["open"], separators=(",", ":")).encode()).hexdigest()
        last, since = found["checkpoint"], place
    elif "commitment" in found:
        if "salt" in found:
            record = line[164:-1]
            assert line == b'{"commitment":"%s","salt":"%s","record":%s}' % (
                found["commitment"].encode(), found["salt"].encode(), record)
            assert sha(bytes.fromhex(found["salt"]), record).hex() == found["commitment"], "a record was altered"
            assert found["record"]["sequence"] == len(leaves) + 1 and found["record"]["time"] >= time
            time = found["record"]["time"]
        leaves.append(sha(b"\x00", bytes.fromhex(found["commitment"])))
    place += len(line) + 1
assert last == newest and offset == since and len(leaves) == int(size) and words["time"] == time
assert root(leaves) == base64.b64decode(top)
print(f"{size} records, root {root(leaves).hex()}")
