#!/usr/bin/env python3
"""Mail as Python's email and mailbox modules read it, for the tests to compare with.

oracle.py make SEED COUNT FOLDER     writes random mail: FOLDER/box.mbox, FOLDER/Maildir and, damaged, FOLDER/Bad
oracle.py read FOLDER                tells of each mail what the modules find, a line each
oracle.py files FILE...              the same of files of one mail

A line is a word and values between tabs:
  mail KEY ID DATE SUBJECT NAME ADDRESS SIZE FLAGS
  rcpt KEY KIND NAME ADDRESS
A value that a module cannot tell without finding a fault with the mail is `?`, none is `-`.
"""
import email, email.policy, email.utils, mailbox, os, random, sys

POLICY = email.policy.default
WORDS = "ada bob carl dora Engine notes re fwd x1 2026 a-b it's".split()
NAMES = ["Ada", "Björn", "Chloé Dupont", "Дмитрий", "山田太郎", "O'Neil", "Müller-Lüdenscheidt", "Q"]
CHARSETS = {"utf-8": NAMES, "iso-8859-1": ["Björn", "Chloé Dupont", "Ada"], "koi8-r": ["Дмитрий"],
            "iso-2022-jp": ["山田太郎"], "windows-1252": ["Björn €"], "gbk": ["山田太郎"], "shift_jis": ["山田太郎"],
            "iso-8859-15": ["Grüße €"], "us-ascii": ["Ada"]}
ZONES = ["+0000", "-0600", "+0530", "GMT", "UT", "EST", "PDT", "MST", "-0000", "+0100 (CET)", "+1345"]
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def encoded(rng):
    charset = rng.choice(list(CHARSETS))
    text = rng.choice(CHARSETS[charset])
    raw = text.encode(charset)
    spelled = rng.choice([charset, charset.upper()])
    if rng.random() < 0.5:
        body = "".join(chr(b) if chr(b).isalnum() and b < 128 else "_" if b == 32 else f"={b:02X}" for b in raw)
        return f"=?{spelled}?{rng.choice('qQ')}?{body}?="
    import base64
    return f"=?{spelled}?{rng.choice('bB')}?{base64.b64encode(raw).decode()}?="


def space(rng):
    """White space that may be folded."""
    return rng.choice([" ", " ", " ", "\n ", "\n\t", "  "])


def comment(rng, depth=0):
    inner = rng.choice(["", "home", "a b", "\\)", "\\\\"])
    if depth < 3 and rng.random() < 0.3:
        inner += comment(rng, depth + 1)
    return f"({inner})"


def local(rng):
    if rng.random() < 0.15:
        return '"' + rng.choice(["a b", "a,b", "x\\\"y", "a<b"]) + '"'
    return ".".join(rng.choice(["ada", "b-b", "c_c", "d+1", "x!y"]) for _ in range(rng.randint(1, 3)))


def domain(rng):
    if rng.random() < 0.1:
        return rng.choice(["[192.0.2.1]", "[IPv6:2001:db8::1]"])
    return ".".join(rng.choice(["example", "mail", "x-y"]) for _ in range(rng.randint(1, 2))) + ".org"


def phrase(rng):
    kind = rng.random()
    if kind < 0.3:
        return '"' + rng.choice(["Ada, King", "a \\\"b\\\" c", "R. Boole", "x@y", "(not)", "a\\\\b", ";:<>"]) + '"'
    if kind < 0.6:
        return space(rng).join(encoded(rng) for _ in range(rng.randint(1, 3)))
    return " ".join(rng.choice(["Ada", "King", "Q", "van", "der"]) for _ in range(rng.randint(1, 3)))


def mailbox_text(rng):
    address = f"{local(rng)}@{domain(rng)}"
    if rng.random() < 0.3:
        return address
    gap = rng.choice([" ", "", "\n "])
    tail = " " + comment(rng) if rng.random() < 0.1 else ""
    return f"{phrase(rng)}{gap or ' '}<{address}>{tail}"


def address_list(rng):
    parts = []
    for _ in range(rng.randint(1, 6)):
        if rng.random() < 0.15:
            members = ", ".join(mailbox_text(rng) for _ in range(rng.randint(0, 3)))
            parts.append(f"{rng.choice(['Team', 'the others'])}: {members};")
        else:
            parts.append(mailbox_text(rng))
    return ("," + space(rng)).join(parts)


def date(rng):
    day, month, year = rng.randint(1, 28), rng.choice(MONTHS), rng.randint(1970, 2037)
    clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    if rng.random() < 0.8:
        clock += f":{rng.randint(0, 59):02}"
    if rng.random() < 0.1:
        year = f"{rng.choice([*range(0, 50), *range(70, 100)]):02}"
    weekday = rng.choice(["", "Mon, ", "Sun, "])
    return f"{weekday}{day} {month} {year} {clock} {rng.choice(ZONES)}"


def subject(rng):
    parts = []
    for _ in range(rng.randint(1, 6)):
        parts.append(encoded(rng) if rng.random() < 0.4 else rng.choice(WORDS))
    return space(rng).join(parts)


def body(rng):
    lines = []
    for _ in range(rng.randint(0, 12)):
        lines.append(rng.choice(["text", "", "From me to you", ">From x", "Subject: not one", " folded", "x" * 300]))
    return "\n".join(lines) + rng.choice(["", "\n", "\n\n"])


def message(rng, number):
    fields = [("Message-ID", f"<{number}.{rng.getrandbits(32)}@example.org>"), ("Date", date(rng)),
              ("From", mailbox_text(rng)), ("Subject", subject(rng)), ("X-Noise", "x" * rng.randint(0, 3000))]
    for name in ["To", "Cc", "Bcc"]:
        if rng.random() < 0.7:
            fields.append((name, address_list(rng)))
    rng.shuffle(fields)
    text = "".join(f"{rng.choice([n, n.upper(), n.lower()])}:{rng.choice([' ', '', '  '])}{v}\n" for n, v in fields)
    return (text + "\n" + body(rng)).encode()


def make(seed, count, folder):
    rng = random.Random(seed)
    box = mailbox.mbox(folder + "/box.mbox")
    good = mailbox.Maildir(folder + "/Maildir")
    bad = mailbox.Maildir(folder + "/Bad")
    for number in range(count):
        raw = message(rng, number)
        # What Python adds it also escapes: lines `From ` of the text become `>From `.
        added = mailbox.mboxMessage(raw)
        added.set_from("ada@example.org", (2026, 1, 1 + number % 28, 10, 0, 0, 0, 1, 0))
        added.set_flags("".join(f for f in "RODFA" if rng.random() < 0.3))
        box.add(added)
        crlf = raw.replace(b"\n", b"\r\n") if rng.random() < 0.3 else raw
        path = f"{folder}/Maildir/cur/{number}.host:2," + "".join(f for f in "DFRST" if rng.random() < 0.3)
        open(path, "wb").write(crlf)
        damaged = bytearray(raw)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(damaged))
            change = rng.random()
            if change < 0.4:
                damaged[at:at] = rng.choice([b"(", b")", b'"', b"<", b">", b",", b";", b":", b"\n", b"\\", b"=?", b"?=",
                                             b"\xe4", b"\x00", b" ", b"@", b"["])
            elif change < 0.7:
                del damaged[at:at + rng.randint(1, 4)]
            else:
                damaged[at] = rng.randrange(256)
        open(f"{folder}/Bad/cur/{number}.bad", "wb").write(damaged)
    box.flush()


def spelled(text):
    text = " ".join(str(text).split())
    return text if text else "-"


def clean(found):
    return not getattr(found, "defects", None)


def named(found, raw):
    """Names and addresses. The old parser also takes a comment for a name, as mail programs do."""
    old = email.utils.getaddresses([str(raw)])
    pairs = []
    for index, address in enumerate(found.addresses):
        name = address.display_name
        if not name and len(old) == len(found.addresses) and old[index][1] == address.addr_spec:
            name = old[index][0]
        pairs.append((spelled(name), spelled(address.addr_spec)))
    return pairs


def tell(key, raw, size, flags):
    msg = email.message_from_bytes(raw, policy=POLICY)
    old = email.message_from_bytes(raw)
    sound = not msg.defects

    def field(name, take):
        if not sound:
            return "?"
        try:
            found = msg[name]
            if found is None:
                return "-"
            return take(found) if clean(found) else "?"
        except Exception:
            return "?"

    def sender(part):
        def take(found):
            return named(found, old.get("from"))[0][part] if found.addresses else "?"
        return field("from", take)

    print("mail", key, field("message-id", lambda f: spelled(f).strip("<>")),
          field("date", lambda f: str(int(f.datetime.timestamp())) if f.datetime else "?"), field("subject", spelled),
          sender(0), sender(1), size, flags, sep="\t")
    for kind in ["to", "cc", "bcc"]:
        try:
            for found, raw_field in zip(msg.get_all(kind, []), old.get_all(kind, [])):
                if not sound or not clean(found):
                    print("rcpt", key, kind, "?", "?", sep="\t")
                    continue
                for name, address in named(found, raw_field):
                    print("rcpt", key, kind, name, address, sep="\t")
        except Exception:
            print("rcpt", key, kind, "?", "?", sep="\t")


def read(folder):
    box = mailbox.mbox(folder + "/box.mbox")
    for key in box.keys():
        raw = box.get_bytes(key)
        flags = box[key].get_flags()
        tell(f"box {key}", raw, len(raw), "".join(f for f in "RFA" if f in flags) or "-")
    for name in ["Maildir", "Bad"]:
        maildir = mailbox.Maildir(folder + "/" + name, create=False)
        for key in sorted(maildir.keys()):
            raw = maildir.get_bytes(key)
            flags = maildir[key].get_flags()
            tell(f"{name} {key}", open(f"{folder}/{name}/{maildir._lookup(key)}", "rb").read(),
                 os.path.getsize(f"{folder}/{name}/{maildir._lookup(key)}"), "".join(f for f in "SFR" if f in flags) or "-")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    elif sys.argv[1] == "read":
        read(sys.argv[2])
    else:
        for path in sys.argv[2:]:
            raw = open(path, "rb").read()
            tell(os.path.basename(path), raw, len(raw), "-")
