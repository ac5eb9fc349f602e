"""Holds the service against its own description: every request that Schemathesis makes of docs/spec/service.openapi.json, right and
wrong ones, and what comes back. service_schema.py ESCROW ROOT [EXAMPLES]"""

import os
import subprocess
import sys
import tempfile

import page_kit

check = page_kit.Checks()
ESCROW, ROOT = sys.argv[1:3]
EXAMPLES = sys.argv[3] if len(sys.argv) > 3 else "25"
APP = "org.example.notes"


def main():
    with page_kit.folder() as folder, tempfile.TemporaryDirectory(prefix="svc") as runtime:
        home = page_kit.Home(ESCROW, ROOT, folder)
        home.run("source", "add", "contacts", "samples/contacts.vcf")
        home.install("phone-check")
        home.run("grant", "allow", "--app", APP, "--plugin", "phone-check")
        service = subprocess.Popen([ESCROW, "serve", "--runtime", runtime], env=home.environment, cwd=ROOT,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        relay = None
        try:
            check("the service begins", service.stderr.readline().startswith("listening at "))
            # Schemathesis speaks TCP alone.
            relay = subprocess.Popen([sys.executable, f"{ROOT}/Tests/Hostile/relay.py", f"{runtime}/service.sock"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            port = int(relay.stdout.readline())
            # Its examples lie in the folder that goes with the test, and the same seed makes the same ones.
            done = subprocess.run(
                [os.path.join(os.path.dirname(sys.executable), "schemathesis"),
                 "--config-file", f"{ROOT}/Tests/Support/schemathesis.toml", "run",
                 f"{ROOT}/docs/spec/service.openapi.json", "--url", f"http://127.0.0.1:{port}",
                 "--checks", "all", "--max-examples", EXAMPLES, "--seed", "19", "--no-color"],
                cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            found = done.stdout.partition("FAILURES")[2] or done.stdout
            check("Schemathesis finds nothing", done.returncode == 0, found[-6000:] + done.stderr[-1000:])
            # A run that tests nothing would find nothing.
            check("all ten operations were tried", "Tested: 10" in done.stdout, done.stdout[-1500:])
            check("the service still stands", service.poll() is None)
        finally:
            for process in filter(None, [relay, service]):
                process.terminate()
                process.wait()
        if len(sys.argv) > 4:
            print(done.stdout)


if __name__ == "__main__":
    main()
    sys.exit(1 if check.failed else 0)
