"""The first minutes of a new user with the page: from the package to a decision that is taken back, each step with its time.

    page_trial.py ESCROW ROOT [--times] [PACKAGE]

PACKAGE is what `make deb` made: it is then installed into a folder first, and what lies there is tried in place of ESCROW. --times
prints how long each step took.
"""

import os
import subprocess
import sys
import tempfile
import time

import page_browser
import page_kit
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

check = page_browser.check
APP = "org.example.notes"
STEPS = []


class Step:
    """A step of the trial, and how long the machine took for it."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.start = time.monotonic()

    def __exit__(self, *_):
        STEPS.append((self.name, time.monotonic() - self.start))


def install(package, folder):
    """Installs the package below a folder, and gives its command."""
    root = os.path.join(folder, "root")
    for place in ["info", "updates"]:
        os.makedirs(f"{root}/var/lib/dpkg/{place}")
    for name in ["status", "available"]:
        open(f"{root}/var/lib/dpkg/{name}", "w").close()
    subprocess.run(["fakeroot", "dpkg", f"--root={root}", "--force-depends", f"--log={root}/log", "--install", package],
                   check=True, capture_output=True)
    return f"{root}/usr/bin/escrow", f"{root}/usr/lib/escrow"


class App:
    """A first app: ten lines of Python, with the kit that comes along, confined."""

    def __init__(self, home, runtime, kit):
        self.home = home
        self.words = [home.escrow, "app", "run", APP, "--runtime", runtime, "--", "/usr/bin/python3", "/home/app/notes"]
        place = os.path.join(home.environment["XDG_STATE_HOME"], "escrow-apps", APP)
        os.makedirs(place)
        subprocess.run(["cp", "-r", f"{home.root}/samples/flatpak/notes", kit, place], check=True)
        self.home.environment["NOTES_LIBRARY"] = "/home/app"

    def __enter__(self):
        self.process = subprocess.Popen(self.words, env=self.home.environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def answer(self):
        said, wrong = self.process.communicate(timeout=300)
        return said + wrong


def tries(home, runtime, folder, driver, library):
    with Step("trust the samples' key, install a plugin"):
        home.run("plugin", "install", f"{library}/phone-check.escrow", "--yes")
    with page_kit.Page(home) as page:
        sight = page_browser.Sight(driver, page, None)
        with Step("open the page"):
            driver.get(page.address)
        check("the page is open", sight.one("h1").text == "Now", driver.page_source[:500])
        contacts = os.path.join(folder, "contacts.vcf")
        subprocess.run(["cp", f"{home.root}/samples/contacts.vcf", contacts], check=True)
        with Step("add the contacts, on the page"):
            sight.driver.find_element(By.LINK_TEXT, "Sources").click()
            driver.execute_script("document.getElementById('kind').value = 'contacts'")
            sight.one("#path").send_keys(contacts)
            sight.press("form[action='/sources/add'] button")
        check("the contacts are there", "Added" in sight.notice(), sight.text()[:600])
        kit = f"{home.root}/SDK/python/escrow"
        app = App(home, runtime, kit)
        with Step("start a first app, find its question on the page, say yes"), app:
            sight.go("/")
            WebDriverWait(driver, page_browser.PATIENCE).until(
                lambda driver: driver.find_elements(By.XPATH, page_browser.question(APP)) or driver.refresh())
            shown = driver.find_element(By.XPATH, page_browser.question(APP)).text
            page_browser.answer(sight, APP, "Always")
            said = app.answer()
        check("the question says who asks, and how it is known", "Notes" in shown and "its own socket" in shown, shown)
        check("the app has its answer", said == "59 numbers are well-formed, 22 are not\n", said)
        with Step("see it in the pane of contacts, take it back"):
            sight.driver.find_element(By.LINK_TEXT, "Your data").click()
            sight.go("/data/contacts")
            pane = sight.text()
            sight.press("button[value='revoke']")
        check("the pane tells who may and who did", "Who may" in pane and APP in pane.split("Who did")[1], pane)
        with Step("the app once more: nobody allows it any more"), app:
            WebDriverWait(driver, page_browser.PATIENCE).until(lambda _: APP in home.run("pending"))
            waits = app.process.poll() is None
        check("it waits to be allowed", waits)


def main(escrow, root, package):
    with page_kit.folder() as folder, tempfile.TemporaryDirectory(prefix="svc") as runtime:
        os.chmod(runtime, 0o700)
        library = f"{root}/.build/plugins"
        if package:
            with Step("install the package"):
                escrow, installed = install(package, folder)
            library = f"{installed}/plugins"
        with Step("make a home"):
            home = page_kit.Home(escrow, root, folder)
        home.environment["XDG_STATE_HOME"] = os.path.join(folder, "state")
        service = subprocess.Popen([escrow, "serve", "--runtime", runtime], env=home.environment,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with Step("start the service"):
            service.stderr.readline()
        driver = page_browser.browser()
        try:
            tries(home, runtime, folder, driver, library)
        finally:
            driver.quit()
            service.terminate()
            service.wait()
    if "--times" in sys.argv:
        print("| step | seconds |\n|---|--:|", file=sys.stderr)
        for name, seconds in STEPS + [("**all of it**", sum(seconds for _, seconds in STEPS))]:
            print(f"| {name} | {seconds:.1f} |", file=sys.stderr)


if __name__ == "__main__":
    packages = [word for word in sys.argv[3:] if word != "--times"]
    main(sys.argv[1], sys.argv[2], packages[0] if packages else None)
    sys.exit(1 if check.failed else 0)
