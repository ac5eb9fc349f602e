"""Identity copy, which the papers draw in red, and the same question answered without."""

import json

from .sheets import sheet, written


def check(day):
    day.source("contacts", "samples/contacts.vcf")
    for plugin in ("data-copy", "phone-check"):
        day.run("plugin", "install", f"{day.packages}/{plugin}.escrow", "--yes")
    sheet(day, "data-copy", "com.example.broker")
    assert "this is no computation: it hands your data itself" in written["data-copy"], "the sheet does not warn"
    day.run("grant", "allow", "--app", "com.example.broker", "--plugin", "data-copy")
    names = [row["givenName"] if isinstance(row, dict) else row[0] for row in day.rows("SELECT givenName FROM Contacts")]
    copied = json.loads(day.app("identity-copy", "copy"))
    assert len(copied) == len(names) > 0, "the copy is no copy"
    day.run("grant", "allow", "--app", "com.example.broker", "--plugin", "phone-check")
    answer = day.app("identity-copy", "count")
    assert not any(name and name in answer for name in names), "the question was answered with a name"
