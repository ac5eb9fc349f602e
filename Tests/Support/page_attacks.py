"""Others who try to use the individual's page: other sites, other names, other browsers. page_attacks.py ESCROW ROOT"""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import urllib.parse

import page_kit

check = page_kit.Checks()


def ask(page, method, path, headers=None, body=None, host=None, patience=180):
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=patience)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    if host is not False:
        connection.putheader("Host", host or page.authority)
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


# Holds 80 connections, asks for a page by each, and says how many were answered.
STRANGER = """
import socket, sys
port, host, cookie = sys.argv[1:]
held, heard = [], 0
for _ in range(80):
    try:
        link = socket.create_connection(("127.0.0.1", int(port)), timeout=10)
        held.append(link)
        link.sendall(f"GET / HTTP/1.1\\r\\nHost: {host}\\r\\nCookie: {cookie}\\r\\n\\r\\n".encode())
        heard += link.recv(1) != b""
    except OSError:
        pass
print(f"{heard} of {len(held)}", flush=True)
sys.stdin.readline()
"""


# What a decision is bound to, as `escrow grant list` tells it.
NARROW = ("state", "limit", "knownBy", "coarser", "reads", "place", "target", "versions", "pinned", "budget", "manifest")


def narrow(home, page, known, own):
    """A yes to less that is over and is allowed for good stays one to less."""
    encode = lambda values: urllib.parse.urlencode(values).encode()
    home.ask("phone-check", "org.example.narrow")
    _, text = ask(page, "GET", "/", known)
    card = next(part for part in text.split("<article") if "org.example.narrow" in part and 'name="seen"' in part)
    field = lambda name: re.search(rf'name="{name}" value="([^"]*)"', card).group(1)
    ask(page, "POST", "/less", own, encode(
        {"proof": field("proof"), "id": field("id"), "seen": field("seen"), "answer": "once", "first0": "1"}))
    ours = lambda: [grant for grant in json.loads(home.run("grant", "list", "--format", "json"))["grants"]
                    if grant["app"] == "org.example.narrow"]
    home.run("run", "phone-check", "--app", "org.example.narrow")
    over = ours()
    ask(page, "POST", "/grants/change", own, encode(
        {"proof": field("proof"), "id": over[-1]["id"], "what": "always", "back": "/grants"}))
    anew = ours()[-1]
    same = lambda grant: {name: value for name, value in grant.items() if name in NARROW}
    check(
        "a narrow yes that is allowed for good stays narrow", anew["id"] != over[-1]["id"] and anew["state"] == "limited"
        and same(anew) == same(over[-1]), [over[-1], anew])
    _, text = ask(page, "GET", "/grants", known)
    card = next(part for part in text.split("<article") if anew["id"] in part)
    check("a decision says how the app is known and where it computes", "Known by" in card and "Computes on" in card)


def main(escrow, root, folder):
    home = page_kit.Home(escrow, root, folder)
    home.run("source", "add", "contacts", "samples/contacts.vcf")
    home.install("phone-check")
    home.ask("phone-check", "org.example.notes")
    with page_kit.Page(home) as page:
        token = urllib.parse.parse_qs(urllib.parse.urlsplit(page.address).query)["token"][0]
        secret = "org.example.notes"

        answer, text = ask(page, "GET", "/")
        check("without a cookie nothing is shown", answer.status == 401 and secret not in text, answer.status)
        answer, text = ask(page, "GET", "/begin?token=" + "0" * 32)
        check("a guessed token opens nothing", answer.status == 401 and not answer.getheader("Set-Cookie"))
        answer, _ = ask(page, "GET", f"/begin?token={token}", host="attacker.example")
        check("a name that was bound anew to this machine is refused", answer.status == 421, answer.status)
        answer, _ = ask(page, "GET", f"/begin?token={token}", host=f"127.0.0.1:{page.port}")
        check("the bare address is refused, where a cookie would be shared", answer.status == 421)
        answer, _ = ask(page, "GET", f"/begin?token={token}", host=False)
        check("no name at all is refused", answer.status in (400, 421), answer.status)
        answer, _ = ask(page, "GET", f"/begin?token={token}", {"Sec-Fetch-Site": "cross-site"})
        check("another site cannot open it, were the token known", answer.status == 403)

        answer, _ = ask(page, "GET", f"/begin?token={token}", {"Sec-Fetch-Site": "none"})
        cookie = answer.getheader("Set-Cookie") or ""
        check("the token opens the page, after all who tried with it before", answer.status == 303)
        check(
            "the cookie is out of reach of scripts and other sites",
            "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Domain" not in cookie, cookie.split("=")[0])
        check("the token stands in no further address", token not in (answer.getheader("Location") or token))
        answer, _ = ask(page, "GET", f"/begin?token={token}")
        check("the token works once", answer.status == 410 and not answer.getheader("Set-Cookie"), answer.status)

        known = {"Cookie": cookie.split(";")[0]}
        answer, text = ask(page, "GET", "/", known)
        check("the one browser sees the question", answer.status == 200 and secret in text, answer.status)
        policy = answer.getheader("Content-Security-Policy") or ""
        check(
            "nothing inline and nothing from elsewhere is let in",
            "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
            and not re.search(r"<style|\sstyle=|<script>|\son[a-z]+=|https?://", text), policy)
        check(
            "no frame, no sniffing, nothing kept",
            "frame-ancestors 'none'" in policy and answer.getheader("X-Content-Type-Options") == "nosniff"
            and answer.getheader("Cache-Control") == "no-store")
        answer, text = ask(page, "GET", "/", {"Cookie": known["Cookie"] + "; " + known["Cookie"] + "0"})
        check("two cookies of the name are none", answer.status == 401 and secret not in text)
        answer, text = ask(page, "GET", "/", {"Cookie": known["Cookie"][:-1] + "x"})
        check("a cookie that is nearly right is none", answer.status == 401 and secret not in text)
        answer, text = ask(page, "GET", "/", {**known, "Sec-Fetch-Site": "cross-site"})
        check("what another site leads to shows nothing, were the cookie sent", answer.status == 403)
        answer, _ = ask(page, "GET", "/", {**known, "Sec-Fetch-Site": "same-site"})
        check("another port of the same site is another site", answer.status == 403)

        _, text = ask(page, "GET", "/", known)
        field = lambda name: re.search(rf'name="{name}" value="([^"]*)"', text).group(1)
        fields = {"proof": field("proof"), "id": field("id"), "seen": field("seen"), "answer": "always"}
        form = {**known, "Content-Type": "application/x-www-form-urlencoded"}
        own = {**form, "Origin": f"http://{page.authority}"}
        encode = lambda values: urllib.parse.urlencode(values).encode()

        def grants():
            return home.run("grant", "list", "--format", "json")

        nothing = grants()
        for name, headers, values, status in [
            ("a form without an origin", form, fields, 403),
            ("another site's form", {**form, "Origin": "http://attacker.example"}, fields, 403),
            ("a form of a hidden origin", {**form, "Origin": "null"}, fields, 403),
            ("a form of another port", {**form, "Origin": "http://" + page.authority[:-1] + "1x"}, fields, 403),
            ("a form that no page of ours made", own, {**fields, "proof": "0" * 32}, 403),
            ("a form without its proof", own, {k: v for k, v in fields.items() if k != "proof"}, 403),
            ("a form as plain text", {**own, "Content-Type": "text/plain"}, fields, 415),
            ("a form without a cookie", {k: v for k, v in own.items() if k != "Cookie"}, fields, 401),
            ("a body that is no form", own, None, 415),
        ]:
            answer, _ = ask(page, "POST", "/answer", headers, b"%zz" if values is None else encode(values))
            check(f"{name} answers nothing", answer.status == status and grants() == nothing, answer.status)
        for name, values in [
            ("an answer to other words", {**fields, "seen": "0" * 64}),
            ("a word that is no answer", {**fields, "answer": "alway"}),
            ("an answer to no question", {**fields, "id": "q-0"}),
        ]:
            answer, _ = ask(page, "POST", "/answer", own, encode(values))
            check(f"{name} decides nothing", answer.status == 303 and grants() == nothing, answer.status)
        answer, _ = ask(page, "POST", "/rules/save", own, encode(
            {**fields, "rules": '{"escrow-preferences": 1, "rules": []}', "base": "none", "tried": "x"}))
        _, text = ask(page, "GET", "/rules", known)
        check("rules that were not tried are not kept", "not held against the past" in text)
        answer, _ = ask(page, "GET", "/answer", known)
        check("nothing is done by looking", answer.status == 404 and grants() == nothing, answer.status)
        answer, _ = ask(page, "PUT", "/answer", own, encode(fields))
        check("only forms do anything", answer.status == 405, answer.status)
        answer, text = ask(page, "GET", "/data/%3Cscript%3Ealert(1)%3C%2Fscript%3E", known)
        check("an address is not written back", answer.status == 404 and "alert" not in text)

        # A connection that sends half a request holds up nobody.
        slow = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(20)]
        for connection in slow:
            connection.sendall(b"POST /answer HTTP/1.1\r\nHost: x\r\n")
        answer, _ = ask(page, "GET", "/", known, patience=30)
        check("half requests hold up nobody", answer.status == 200, answer.status)
        for connection in slow:
            connection.close()

        # Another user of the machine, who came by the cookie: none of its connections gets a word, or a place.
        if os.geteuid() == 0:
            holder = subprocess.Popen(
                ["/usr/bin/python3", "-c", STRANGER, str(page.port), page.authority, known["Cookie"]], user=65534, group=65534,
                extra_groups=[], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
            heard = holder.stdout.readline().strip()
            check("another user's connections are ended, whatever they know", heard == "0 of 80", heard)
            answer, text = ask(page, "GET", "/", known, patience=30)
            check("another user takes no place of the page", answer.status == 200 and secret in text, answer.status)
            holder.communicate("end\n")
        else:
            print("SKIP: only root can be another user", file=sys.stderr)
        huge = b"a=" + b"x" * (3 << 20)
        try:
            answer, _ = ask(page, "POST", "/answer", own, huge)
            check("a body that is too long is refused", answer.status == 415, answer.status)
        except OSError as error:
            check("a body that is too long is refused", True, error)

        answer, _ = ask(page, "POST", "/answer", own, encode(fields))
        decided = grants()
        check("the individual's own form decides", answer.status == 303 and decided != nothing and secret in decided)
        narrow(home, page, known, own)
        bound = socket.create_connection(("127.0.0.1", page.port))
        bound.close()
        try:
            outside = socket.create_connection((socket.gethostbyname(socket.gethostname()), page.port), timeout=2)
            check("it listens on the loopback alone", outside.getpeername()[0].startswith("127."))
        except OSError as error:
            check("it listens on the loopback alone", True, error)


if __name__ == "__main__":
    with page_kit.folder() as place:
        main(sys.argv[1], sys.argv[2], place)
    sys.exit(1 if check.failed else 0)
