"""Signal: contacts discovered, a picture, a place and a search."""

import json

import servers

from .home import ROOT, SECRET, digest, photos_there, place, sent


def check(day):
    day.source("contacts", "samples/contacts.vcf")
    day.allow("find-contacts", "org.signal")
    phones = servers.us_numbers(day.rows("SELECT phoneNumber FROM Contacts WHERE phoneNumber IS NOT NULL LIMIT 200"))
    day.server.users = phones[::3] + ["+15005550001", "+15005550002"]
    output = day.app("signal", "find")
    assert sorted(json.loads(output)) == sorted([phone] for phone in set(phones[::3])), "another intersection"
    assert sorted(phone for phone, in json.loads(output)) == oracle(phones, day.server.users), "openmined-psi finds another"
    request, = sent(day)
    points = json.loads(request.body)["points"]
    known = {servers.blinding.point(phone).hex() for phone in phones}
    assert len(points) == len(phones) and not known & set(points), "a point was sent that is not blinded"
    assert not any(phone[2:].encode() in request.raw for phone in phones), "a number was sent"
    day.app("signal", "find")
    assert not set(points) & set(json.loads(sent(day)[1].body)["points"]), "two runs can be tied together"
    day.source("photos", "samples/photos")
    day.source("location", "samples/tracks")
    day.keep("chat.example.org")
    for plugin in ("send-picture", "share-place", "find-place"):
        day.allow(plugin, "org.signal")
    assert json.loads(day.app("signal", "picture", "c7", typed="scan\n1\n")) == {"done": True}
    picture = sent(day)[-1]
    assert picture.line == "PUT /v1/attachments/c7" and digest(picture.body) in photos_there(), "another picture than there is"
    assert json.loads(day.app("signal", "place", "c7")) == {"place": "Bergen, NO"}
    told = sent(day)[-1]
    latitude, longitude = place(day)
    assert json.loads(told.body) == {"text": "Bergen, NO"} and str(latitude)[:5].encode() not in told.raw, "a coordinate was told"
    before = len(sent(day))
    found = json.loads(day.app("signal", "search", "Bergen"))
    assert found[0] == ["Bergen, NO", 1] and len(sent(day)) == before, "a search left the device"
    day.secrets_are_nowhere(output)

    found = json.loads(day.direct("signal", "find", secret={".signal-token": SECRET["chat.example.org"]}))
    assert sorted(found) == sorted(json.loads(output)), "another intersection without the escrow"
    assert json.loads(day.direct("signal", "picture", "c7", f"{ROOT}/samples/photos/scan.jpg")) == {"done": True}
    assert json.loads(day.direct("signal", "place", "c7")) == {"place": "Bergen, NO"}
    assert json.loads(day.direct("signal", "search", "Bergen"))[0] == ["Bergen, NO", 1]


def oracle(contacts, users):
    """The intersection as openmined-psi finds it, which does the same by a protocol of its own."""
    try:
        import private_set_intersection.python as psi
    except ImportError as error:
        print(f"SKIP openmined-psi: {error}")
        return sorted(set(contacts) & set(users))
    client, server = psi.client.CreateWithNewKey(True), psi.server.CreateWithNewKey(True)
    setup = server.CreateSetupMessage(1e-9, len(contacts), users, psi.DataStructure.RAW)
    answer = server.ProcessRequest(client.CreateRequest(contacts))
    return sorted(contacts[at] for at in client.GetIntersection(setup, answer))
