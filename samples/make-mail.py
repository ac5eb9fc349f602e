#!/usr/bin/env python3
"""Makes the sample mail and documents in this folder: invented people, whose addresses are those of contacts.vcf.

The result is the same on every run.  Usage: python3 samples/make-mail.py
"""
import datetime, email.header, os, random, shutil

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20260302)
ME = "Sample Person <me@example.org>"
NAMES = ["Amara Abara", "Björn Brandt", "Chloé Côté", "Dmitri Dvořák", "Esi Ekwall", "Farid Farouk"]
SUBJECTS = ["Lunch on Friday?", "Grüße aus Bergen", "The minutes", "Pictures of the garden", "Re: Lunch on Friday?",
            "Choir practice moved", "Your order", "Ny adresse — husk å svare"]
TEXT = "Dear reader,\n\nthis mail is made up.\n\nFrom here on there is nothing more.\n"


def field(text):
    return text if text.isascii() else email.header.Header(text, "utf-8").encode()


def person(index):
    name = NAMES[index % len(NAMES)]
    return f"{field(name)} <contact{index % 40}@example.org>"


def mail(number, sender, recipients, cc=(), extra=""):
    when = datetime.datetime(2026, 1, 5, 8, 30) + datetime.timedelta(hours=31 * number, minutes=7 * number)
    subject = SUBJECTS[number % len(SUBJECTS)]
    lines = [f"Message-ID: <sample-{number:03d}@example.org>", f"Date: {when:%a, %d %b %Y %H:%M:%S} +0100",
             f"From: {sender}", "To: " + ",\n ".join(recipients)]
    if cc:
        lines.append("Cc: " + ",\n ".join(cc))
    lines.append(f"Subject: {field(subject)}")
    if subject.startswith("Re:"):
        lines.append(f"In-Reply-To: <sample-{number - 4:03d}@example.org>")
    return "\n".join(lines) + f"\n{extra}Content-Type: text/plain; charset=utf-8\n\n{TEXT}"


def write(path, text):
    full = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def mails():
    shutil.rmtree(os.path.join(HERE, "mail"), ignore_errors=True)
    for number in range(24):
        flags = "".join(sorted(flag for flag in "FRS" if rng.random() < (0.8 if flag == "S" else 0.2)))
        place = f"cur/{1767600000 + number}.M{number}.sample:2,{flags}"
        if number % 5 == 4:
            place = f"new/{1767600000 + number}.M{number}.sample"
        if number % 4 == 3:
            text = mail(number, person(number), ["choir@lists.example.org"],
                        extra="List-Id: The choir <choir.lists.example.org>\n")
            write(f"mail/Maildir/.Lists.choir/{place}", text)
        else:
            cc = [person(number + 7)] if number % 3 == 0 else []
            write(f"mail/Maildir/{place}", mail(number, person(number), [ME], cc))
    for number in range(24, 32):
        recipients = [person(number), person(number + 3)][: 1 + number % 2]
        write(f"mail/Maildir/.Sent/cur/{1767600000 + number}.M{number}.sample:2,S", mail(number, ME, recipients))
    box = ""
    for number in range(32, 40):
        text = mail(number, person(number), [ME], extra=f"X-Mozilla-Status: 000{number % 2}\n")
        head, body = text.split("\n\n", 1)
        box += f"From - Mon Jan 05 08:30:00 2026\n{head}\n\n" + body.replace("\nFrom ", "\n>From ") + "\n"
    write("mail/Local Folders/Archive", box)


def documents():
    shutil.rmtree(os.path.join(HERE, "documents"), ignore_errors=True)
    write("documents/Letters/landlord.txt", "Dear landlord,\n\nthe window in the kitchen does not close.\n")
    write("documents/Recipes/bread.md", "# Bread\n\nFlour, water, salt, time.\n")
    write("documents/Tax/2025/expenses.csv", "date,what,amount\n2025-03-01,desk,120\n2025-04-02,lamp,35\n")
    write("documents/to do", "- water the plants\n")


mails()
documents()
