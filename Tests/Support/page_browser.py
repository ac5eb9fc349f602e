"""The individual's page in a real browser: every action, by mouse and by keyboard, axe, and what it looks like.

    page_browser.py ESCROW ROOT [FOLDER FOR PICTURES]

Needs chromium, chromedriver and PyPI's axe-selenium-python (which brings selenium).
"""

import json
import os
import sys

import page_kit
from axe_selenium_python import Axe
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

check = page_kit.Checks()
# In seconds; only a guard against waiting for ever.
PATIENCE = 180
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\u202egnp.exe"


def browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--force-device-scale-factor=1", "--hide-scrollbars"]:
        options.add_argument(word)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


class Sight:
    """One browser on one page."""

    def __init__(self, driver, page, pictures):
        self.driver, self.page, self.pictures = driver, page, pictures
        self.origin = "http://" + page.authority

    def go(self, path):
        self.driver.get(self.origin + path)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self):
        return self.one("body").text

    def press(self, selector):
        """Presses a button, and waits for the next page."""
        before = self.one("html")
        self.one(selector).click()
        WebDriverWait(self.driver, PATIENCE).until(lambda driver: self.is_gone(before))

    @staticmethod
    def is_gone(element):
        try:
            element.is_enabled()
            return False
        except Exception:
            return True

    def notice(self):
        return self.one(".notice").text

    def dark(self, is_dark):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]})

    def size(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def picture(self, name):
        if not self.pictures:
            return
        size = self.driver.execute_script("return document.documentElement.scrollHeight")
        width = self.driver.execute_script("return innerWidth")
        self.size(width, min(size, 2600))
        self.driver.save_screenshot(os.path.join(self.pictures, name + ".png"))
        self.size(width)

    def axe(self, name):
        axe = Axe(self.driver)
        axe.inject()
        found = axe.run()["violations"]
        check(f"axe finds nothing: {name}", not found, json.dumps(
            [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found]))

    def narrow(self, name):
        wide = self.driver.execute_script("return document.documentElement.scrollWidth")
        check(f"nothing is wider than 320 px: {name}", wide <= 320, wide)


def prepare(home):
    for kind, place in [("contacts", "contacts.vcf"), ("photos", "photos"), ("location", "tracks")]:
        home.run("source", "add", kind, f"samples/{place}")
    home.install("phone-check", "age-of-contacts", "data-copy", "places-summary")
    for plugin, app in [("phone-check", "org.example.calls"), ("age-of-contacts", "org.example.cards"),
                        ("places-summary", "org.example.walks")]:
        home.run("grant", "allow", "--app", app, "--plugin", plugin)
        for _ in range(2):
            home.run("run", plugin, "--app", app)
    home.run("grant", "deny", "--app", "org.example.ads", "--plugin", "phone-check")
    for plugin, app in [("phone-check", "org.example.notes"), ("data-copy", "org.example.backup"),
                        ("phone-check", "org.example.first"), ("phone-check", "org.example.second"),
                        ("age-of-contacts", "org.example.third"), ("phone-check", "org.example.fourth"),
                        ("phone-check", "org.example.fifth")]:
        home.ask(plugin, app)


def grants(home):
    return {grant["app"]: grant for grant in json.loads(home.run("grant", "list", "--format", "json"))["grants"]}


def question(app):
    return f"//article[contains(@class, 'question')][.//code[.//text()='{app}']]"


def answer(sight, app, word, inside=""):
    """Answers a question by a button's word."""
    button = sight.driver.find_element(By.XPATH, f"{question(app)}{inside}//button[normalize-space()='{word}']")
    before = sight.one("html")
    button.click()
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: sight.is_gone(before))
    return sight.notice()


def unfold(sight, app, words):
    sight.driver.find_element(By.XPATH, f"{question(app)}//summary[normalize-space()='{words}']").click()


def questions(sight, home):
    sight.go("/")
    shown = sight.driver.find_element(By.XPATH, question("org.example.notes")).text
    check("the question has the terminal's words", "The app Notes wants to" in shown and "nothing is sent" in shown
          and "It never sees" in shown, shown)
    danger = sight.driver.find_element(By.XPATH, question("org.example.backup")).text
    check("what hands out the data itself says so first", "Danger: this is no computation" in danger, danger)
    boxes = [button.rect for button in sight.driver.find_elements(
        By.XPATH, question("org.example.notes") + "//div[@aria-label='Answers']//button")]
    check("a no is as large as a yes", len(boxes) == 5 and len({box["height"] for box in boxes}) == 1, boxes)

    notice = answer(sight, "org.example.notes", "Show exactly what it would get")
    preview = sight.one(".preview pre").text
    check("a preview shows the very bytes, and hands out none", "nothing was handed over" in notice
          and preview.startswith("[") or preview.startswith("{"), preview)
    check("what was looked at is still undecided", "org.example.notes" not in grants(home))
    notice = answer(sight, "org.example.notes", "Once")
    check("once is once", "once" in notice and grants(home)["org.example.notes"]["state"] == "authorized", notice)
    check("today is today", "until" in answer(sight, "org.example.first", "Today"))
    check("never is never", "Denied" in answer(sight, "org.example.second", "Never")
          and grants(home)["org.example.second"]["state"] == "denied")
    unfold(sight, "org.example.third", "Allow less")
    box = sight.driver.find_element(By.XPATH, question("org.example.third") + "//input[@type='number']")
    box.send_keys("2")
    notice = answer(sight, "org.example.third", "Less, today")
    check("less is less", "less" in notice and grants(home)["org.example.third"]["state"] == "limited", notice)
    unfold(sight, "org.example.fourth", "Other answers")
    box = sight.driver.find_element(By.XPATH, question("org.example.fourth") + "//input[@name='answer' and @id]")
    box.send_keys("5 runs")
    notice = answer(sight, "org.example.fourth", "Answer so")
    check("what a terminal takes, the page takes", "5 runs" in notice, notice)
    check("no is for this time", "No, for this time" in answer(sight, "org.example.backup", "No")
          and "org.example.backup" not in grants(home))
    unfold(sight, "org.example.fifth", "Other answers")
    notice = answer(sight, "org.example.fifth", "As if there were no data")
    check("a denial can look like no data", grants(home)["org.example.fifth"]["state"] == "denied", notice)
    check("nothing waits then", "Nothing waits for an answer of yours" in sight.text())


def keyboard(sight, home):
    home.ask("phone-check", "org.example.keys")
    sight.go("/")
    order, seen = [], None
    for _ in range(60):
        sight.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen = sight.driver.switch_to.active_element
        name = seen.get_attribute("aria-label") or seen.text
        order.append(name)
        if name.startswith("Never: "):
            break
    wanted = ["To the content", "Escrow", "Once: org.example.keys", "No: org.example.keys", "Never: org.example.keys"]
    places = [order.index(name) if name in order else -1 for name in wanted]
    check("the keyboard reaches all, in order", -1 not in places and places == sorted(places), order)
    outline = sight.driver.execute_script("return getComputedStyle(arguments[0]).outlineStyle", seen)
    check("where the keyboard is can be seen", outline == "solid", outline)
    before = sight.one("html")
    seen.send_keys(Keys.ENTER)
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: sight.is_gone(before))
    check("a key answers", grants(home)["org.example.keys"]["state"] == "denied")


def decisions(sight, home):
    sight.go("/grants")
    check("decisions are listed", "org.example.calls" in sight.text() and "allowed" in sight.text())
    number = grants(home)["org.example.calls"]["id"]
    sight.press(f"[aria-labelledby='grant-{number}'] button[value='revoke']")
    check("a decision is taken back", "Taken back" in sight.notice() and "org.example.calls" not in grants(home))
    number = grants(home)["org.example.ads"]["id"]
    sight.go("/data/contacts")
    check("a pane tells who may and who did", all(
        word in sight.text() for word in ["Who may", "org.example.ads", "denied", "Who did", "org.example.calls"]),
        sight.text())
    sight.press(f"[aria-labelledby='grant-{number}'] button[value='always']")
    check("a pane changes a decision, and stays", grants(home)["org.example.ads"]["state"] == "authorized"
          and sight.driver.current_url.endswith("/data/contacts"), sight.notice())
    number = grants(home)["org.example.ads"]["id"]
    sight.press(f"[aria-labelledby='grant-{number}'] button[value='never']")
    check("and back", grants(home)["org.example.ads"]["state"] == "denied", sight.notice())


def rules(sight, home):
    proposal = json.dumps({"escrow-preferences": 1, "rules": [
        {"id": "no-cards", "effect": "forbid", "when": {"app": ["org.example.cards"]}, "why": HOSTILE}]})
    sight.go("/rules")
    area = sight.one("#rules")
    area.clear()
    area.send_keys("{ no JSON")
    sight.press("main form button")
    check("rules that cannot be read say where", "cannot be read" in sight.text() and "rules:1" in sight.text())
    sight.driver.execute_script("arguments[0].value = arguments[1]", sight.one("#rules"), proposal)
    sight.press("form[action='/rules/try'] button")
    check("a change is held against the past", "2 of" in sight.text() and "forbidden" in sight.text(), sight.text())
    check("nothing is kept by trying", not os.path.exists(home.path + "/preferences.json"))
    sight.picture("rules")
    sight.press("form[action='/rules/save'] button")
    check("and kept", "Kept" in sight.notice() and os.path.exists(home.path + "/preferences.json"))
    home.run("run", "age-of-contacts", "--app", "org.example.cards", status=10)
    check("what was kept holds at the next run", True)
    check("hostile words are inert", "<script>" in sight.text() and "\u202e" not in sight.text()
          and "‹U+202E›" in sight.text() and "owned" != sight.driver.title
          and not sight.driver.find_elements(By.CSS_SELECTOR, "main img, main script"), sight.text())
    os.remove(home.path + "/preferences.json")


def records(sight, home):
    sight.go("/ledger")
    check("the ledger is listed", "host-created" in sight.text() or "run-end" in sight.text())
    box = sight.one("#search")
    box.send_keys("org.example.walks run-intent")
    sight.press("form[role='search'] button")
    rows = sight.all("tbody tr")
    check("search finds what it is asked for", len(rows) == 2, len(rows))
    sight.press("tbody td a")
    check("a run is told in words", "places-summary" in sight.text() and "Run r-" in sight.one("h1").text)
    sight.go("/ledger")
    sight.press("form[action='/ledger/verify'] button")
    check("the ledger is verified", "each is as it was written" in sight.text(), sight.text()[:400])
    sight.go("/ledger?search=" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    check("what is searched for is inert", sight.one("#search").get_attribute("value") == "<script>alert(1)</script>"
          and "No entry is like that" in sight.text())


def sources(sight, home):
    sight.go("/sources")
    check("sources are listed", "contacts.vcf" in sight.text())
    place = os.path.join(os.path.dirname(home.path), "<img src=x onerror=alert(1)>.vcf")
    with open(place, "w") as file:
        file.write("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n")
    sight.driver.execute_script("document.getElementById('kind').value = 'contacts'")
    sight.one("#path").send_keys(place)
    sight.press("form[action='/sources/add'] button")
    check("a source is added", "Added" in sight.notice() and place in sight.text(), sight.text()[:600])
    check("a hostile file name is inert", not sight.all("main img"))
    sight.press(f"button[aria-label*='onerror']")
    check("and forgotten", "Forgotten" in sight.notice() and place not in sight.text())
    sight.one("#path").send_keys("contacts.vcf")
    sight.press("form[action='/sources/add'] button")
    check("a path of no folder is refused", "Not done" in sight.notice(), sight.notice())


def live(sight, home):
    sight.go("/grants")
    sight.driver.execute_script("document.querySelector('main button').focus()")
    WebDriverWait(sight.driver, PATIENCE).until(
        lambda driver: driver.execute_script("return performance.getEntriesByName(location.origin + '/state.json').length"))
    home.ask("phone-check", "org.example.late")
    sight.driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: driver.find_elements(By.ID, "news"))
    active = sight.driver.execute_script("return document.activeElement.tagName")
    check("a new question is told, and takes no focus", active == "BUTTON", active)


def picks(sight, home):
    """Photos are picked by search and keyboard; what is sent is the one that was picked."""
    sink, app, words = page_kit.Sink(), "org.example.chat", ["--param", "chat=c7"]
    with open(home.path + "/config.json", "w") as file:
        json.dump({"egress": {"standIns": {"chat.example.org": {"port": sink.port, "plain": True}}}}, file)
    home.install("send-picture")
    home.run("credential", "add", "chat.example.org", given="token\n")
    home.run("grant", "allow", "--app", app, "--plugin", "send-picture")
    home.ask("send-picture", app, *words)
    sight.go("/")
    before = sight.one("html")
    sight.driver.find_element(By.LINK_TEXT, f"Pick for {app}").send_keys(Keys.ENTER)
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: sight.is_gone(before))
    pictures = sight.all(".picks img")
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: driver.execute_script(
        "return arguments[0].every(one => one.complete)", pictures))
    seen = [sight.driver.execute_script("return arguments[0].naturalWidth", one) for one in pictures]
    check("each photo has its picture", len(seen) >= 5 and all(width > 0 for width in seen), seen)
    sight.axe("pick")
    sight.size(320)
    sight.narrow("pick")
    sight.picture("pick")
    sight.size(1400)
    before = sight.one("html")
    sight.one("#search").send_keys("scan", Keys.ENTER)
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: sight.is_gone(before))
    check("search leaves those with the words", [row.text for row in sight.all(".picks li")] and all(
        "scan" in row.text for row in sight.all(".picks li")), sight.text())
    sight.one("#search").send_keys(Keys.TAB, Keys.TAB)
    sight.driver.switch_to.active_element.send_keys(Keys.SPACE)
    check("a key picks", sight.driver.switch_to.active_element.is_selected(), sight.text())
    sight.driver.switch_to.active_element.send_keys(Keys.TAB)
    before = sight.one("html")
    sight.driver.switch_to.active_element.send_keys(Keys.ENTER)
    WebDriverWait(sight.driver, PATIENCE).until(lambda driver: sight.is_gone(before))
    check("what is picked is for its next run", "Picked" in sight.notice(), sight.notice())
    home.run("run", "send-picture", "--app", app, *words)
    with open(f"{home.root}/samples/photos/scan.jpg", "rb") as file:
        check("what was picked was sent, and nothing else", sink.bodies == [file.read()], [len(one) for one in sink.bodies])
    home.ask("send-picture", app, *words)
    sight.go("/")
    sight.driver.find_element(By.LINK_TEXT, f"Pick for {app}").click()
    sight.press("button[value='nothing']")
    check("a pick is for one run, and nothing can be picked", "Nothing is picked" in sight.notice()
          and len(sink.bodies) == 1, sight.notice())
    check("no row stands in a file", not any("scan" in open(f"{home.path}/{name}").read() for name in (
        "picked.json", "to-pick.json")))
    os.remove(home.path + "/config.json")


def looks(sight):
    pages = {"now": "/", "data": "/data", "pane": "/data/contacts", "flows": "/flows", "grants": "/grants",
             "rules": "/rules", "sent": "/sent", "ledger": "/ledger", "sources": "/sources", "plugins": "/plugins"}
    for is_dark in [False, True]:
        sight.dark(is_dark)
        for name, path in pages.items():
            widths = [320, 800, 1400] if sight.pictures else [320] if is_dark else [1400]
            for width in widths:
                sight.size(width)
                sight.go(path)
                if width == widths[0]:
                    for details in sight.all("details"):
                        sight.driver.execute_script("arguments[0].open = true", details)
                    sight.axe(f"{name}, {'dark' if is_dark else 'light'}, {width} px")
                    for details in sight.all("details"):
                        sight.driver.execute_script("arguments[0].open = false", details)
                if width == 320:
                    sight.narrow(name)
                sight.picture(f"{name}-{width}-{'dark' if is_dark else 'light'}")
    sight.go("/flows")
    bands = sight.driver.execute_script(
        "return [...document.querySelectorAll('.band')].map(b => [b.textContent, +b.getAttribute('stroke-width')])")
    check("the picture has a band for each flow", len(bands) >= 6 and all(width >= 1 for _, width in bands), bands)


def main(escrow, root, folder, pictures):
    home = page_kit.Home(escrow, root, folder)
    prepare(home)
    driver = browser()
    try:
        with page_kit.Page(home) as page:
            sight = Sight(driver, page, pictures)
            sight.size(1400)
            driver.get(page.address)
            check("the address opens the page", sight.one("h1").text == "Now", driver.page_source[:500])
            check("no token stays in the address", "token" not in driver.current_url, driver.current_url)
            seen = driver.execute_script("return document.cookie")
            check("no script sees the cookie", seen == "", seen)
            if pictures:
                for width in [320, 800, 1400]:
                    for is_dark in [False, True]:
                        sight.dark(is_dark)
                        sight.size(width)
                        sight.go("/")
                        sight.picture(f"questions-{width}-{'dark' if is_dark else 'light'}")
                sight.dark(False)
                sight.size(1400)
            sight.axe("questions")
            for part in [questions, keyboard, decisions, rules, records, sources, live, picks]:
                try:
                    part(sight, home)
                except Exception as error:
                    check(f"{part.__name__} to its end", False, f"{type(error).__name__}: {error}")
            looks(sight)
            complaints = [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"]
            check("the browser complains of nothing", not complaints, complaints)
    finally:
        driver.quit()


if __name__ == "__main__":
    with page_kit.folder() as place:
        main(sys.argv[1], sys.argv[2], place, sys.argv[3] if len(sys.argv) > 3 else None)
    sys.exit(1 if check.failed else 0)
