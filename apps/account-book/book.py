"""What a household earns and spends: the thesis's Account Book, wherever its objects are kept.

Classification, Account, Shop, Photo, Template and Record are objects; a record names the others, in whatever order they come."""

import argparse
import base64
import collections
import datetime
import decimal
import hashlib
import json
import os
import sys
import uuid

REFERENCES = {"class": "Classification", "account": "Account", "shop": "Shop"}


class Book:
    def __init__(self, store):
        self.store = store
        self.objects = store.objects()

    def of(self, kind):
        return {id: value for id, (each, value) in self.objects.items() if each == kind}

    def named(self, kind, name):
        """The thing of that name: the same name is the same thing, on whichever device it came up."""
        id = f"{kind}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        if id not in self.objects:
            self.put(kind, id, {"name": name})
        return id

    def put(self, kind, id, value):
        self.store.update(kind, id, value)
        self.objects[id] = (kind, value)

    def name(self, id):
        """A name that did not arrive yet is shown as such."""
        return self.objects[id][1]["name"] if id in self.objects else "…"

    def taken(self, words):
        """What the words say of a record or a template."""
        said = {}
        for word, kind in REFERENCES.items():
            if getattr(words, word, None):
                said[word] = self.named(kind, getattr(words, word))
        if words.amount is not None:
            cents = words.amount * 100
            if cents != cents.to_integral_value() or abs(cents) > 10**12:
                sys.exit("account-book: an amount has at most two decimals")
            said["cents"] = int(cents)
        for word in ("day", "note"):
            if getattr(words, word, None):
                said[word] = getattr(words, word)
        if getattr(words, "photo", None):
            with open(words.photo, "rb") as file:
                picture = file.read()
            id = f"Photo-{hashlib.sha256(picture).hexdigest()[:16]}"
            self.put("Photo", id, {"name": os.path.basename(words.photo), "bytes": base64.b64encode(picture).decode()})
            said["photo"] = id
        return said

    def record(self, start):
        found = [id for id in self.of("Record") if id.startswith(start)]
        if len(found) != 1:
            sys.exit(f"account-book: {len(found)} records begin with {start}")
        return found[0]

    def add(self, words):
        record = {"day": datetime.date.today().isoformat()}
        if words.template:
            templates = [value for value in self.of("Template").values() if value["name"] == words.template]
            if not templates:
                sys.exit(f"account-book: there is no template {words.template}")
            record |= {name: value for name, value in templates[0].items() if name != "name"}
        record |= self.taken(words)
        if "cents" not in record:
            sys.exit("account-book: a record has an amount")
        id = uuid.uuid4().hex
        self.put("Record", id, record)
        print(id)

    def change(self, words):
        id = self.record(words.id)
        self.put("Record", id, self.objects[id][1] | self.taken(words))

    def remove(self, words):
        self.store.delete("Record", self.record(words.id))

    def template(self, words):
        id = f"Template-{hashlib.sha256(words.name.encode()).hexdigest()[:16]}"
        self.put("Template", id, {"name": words.name} | self.taken(words))

    def list(self, _):
        for id, record in sorted(self.of("Record").items(), key=lambda each: (each[1]["day"], each[0])):
            names = [self.name(record[word]) for word in REFERENCES if word in record]
            photo = "(photo)" if "photo" in record else ""
            words = [id[:8], record["day"], f"{record['cents'] / 100:10.2f}", *names, record.get("note", ""), photo]
            print("  ".join(word for word in words if word))

    def months(self, _):
        sums = collections.Counter()
        for record in self.of("Record").values():
            sums[record["day"][:7], self.name(record["class"]) if "class" in record else "–"] += record["cents"]
        for (month, name), cents in sorted(sums.items()):
            print(f"{month}  {name:16}  {cents / 100:10.2f}")

    def photo(self, words):
        record = self.objects[self.record(words.id)][1]
        if record.get("photo") not in self.objects:
            sys.exit("account-book: this record has no photo, or it has not arrived yet")
        with open(words.file, "wb") as file:
            file.write(base64.b64decode(self.objects[record["photo"]][1]["bytes"]))


def arguments(further):
    about = sys.modules["__main__"].__doc__
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("book")
    commands = parser.add_subparsers(dest="command", required=True)
    fields = argparse.ArgumentParser(add_help=False)
    for word in (*REFERENCES, "note", "photo"):
        fields.add_argument(f"--{word}")
    fields.add_argument("--day", type=lambda text: datetime.date.fromisoformat(text).isoformat())
    amount = {"type": decimal.Decimal, "help": "negative for income"}
    add = commands.add_parser("add", parents=[fields])
    add.add_argument("amount", nargs="?", **amount)
    add.add_argument("--template")
    change = commands.add_parser("change", parents=[fields])
    change.add_argument("id")
    change.add_argument("--amount", **amount)
    commands.add_parser("remove").add_argument("id")
    template = commands.add_parser("template", parents=[fields])
    template.add_argument("name")
    template.add_argument("amount", nargs="?", **amount)
    photo = commands.add_parser("photo")
    photo.add_argument("id")
    photo.add_argument("file")
    for name in ("list", "months", *further):
        commands.add_parser(name)
    return parser.parse_args()


def main(store, *further):
    """The program, over objects in a store; further commands are the store's own."""
    words = arguments(further)
    kept = store(words.book)
    if words.command in further:
        print(json.dumps(getattr(kept, words.command)()))
    else:
        getattr(Book(kept), words.command)(words)
