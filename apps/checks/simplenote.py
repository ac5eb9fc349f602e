"""Simplenote: a note by mail to somebody who is picked."""

import email
import email.policy
import json
import os
import sys

import own_servers

from .home import SECRET, sent


def check(day):
    try:
        mail = own_servers.Mail(day.folder, "ada@example.org", SECRET["mail"])
    except ImportError:
        sys.exit(77)
    day.source("contacts", "samples/contacts.vcf")
    day.own("mail", "submissions", mail.port)
    day.keep("mail", "--kind", "basic", "--user", "ada@example.org")
    day.allow("send-note", "com.simplenote")
    assert day.app("simplenote", "An invitation", "/dev/null", status=11, wait=1) == "", "somebody picked for the person"
    day.run("answer", json.loads(day.run("pending", "--format", "json"))["picks"][0]["id"], "no")
    with open(os.path.join(day.home_of("simplenote"), "note"), "w") as file:
        file.write("Tea at five? Ö\n.\nQUIT\n")
    note = day.inside("simplenote", "note")
    mails = [row["emailAddress"] if isinstance(row, dict) else row[0] for row in day.rows(
        "SELECT emailAddress FROM Contacts WHERE emailAddress IS NOT NULL ORDER BY fullName")]
    output = day.app("simplenote", "An invitation", note, typed="2\n")
    assert json.loads(output) == {"done": True}
    (sender, recipients, content), = mail.mails
    assert (sender, recipients) == ("ada@example.org", [mails[1]])
    parsed = email.message_from_bytes(content, policy=email.policy.default)
    assert parsed["subject"] == "An invitation" and parsed["to"] == mails[1] and parsed["from"] == "ada@example.org"
    assert parsed.get_content() == "Tea at five? Ö\n.\nQUIT", "the note arrived as another"
    others = set(mails) - {mails[1]}
    assert not any(other.encode() in content for other in others), "another contact was sent"
    assert not sent(day), "something went another way"
    assert not any(mail in output + day.text for mail in mails), "the app or its terminal learned an address"
    assert day.app("simplenote", "An invitation", note, typed="q\n", status=10) == "" and len(mail.mails) == 1
    day.keep_wrong("mail", "--kind", "basic", "--user", "ada@example.org")
    assert day.app("simplenote", "An invitation", note, typed="2\n", status=16) == "" and len(mail.mails) == 1
    day.secrets_are_nowhere(output)

    with open(os.path.join(day.folder, "note"), "w") as file:
        file.write("Tea at five?")
    name = day.rows("SELECT fullName FROM Contacts WHERE emailAddress IS NOT NULL ORDER BY fullName")[1]
    name = name["fullName"] if isinstance(name, dict) else name[0]
    day.direct("simplenote", name, "An invitation", f"{day.folder}/note", secret={".mail-password": SECRET["mail"]},
               routes={"465": mail.port})
    assert mail.mails[-1][1] == [mails[1]], "another recipient without the escrow"
