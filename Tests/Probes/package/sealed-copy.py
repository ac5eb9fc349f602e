# Writes into the host's sealed copy, through /proc, as the same user.
# host: prints no other program ran
def during(home):
    host = home.start()
    copies = set()
    for name in os.listdir("/proc/%d/fd" % host.pid):
        path = "/proc/%d/fd/%s" % (host.pid, name)
        try:
            if not os.readlink(path).startswith("/memfd:" + PROGRAM):
                continue
            # The one that was verified; and, until the process has it, the run's own.
            copies.add(os.stat(path).st_ino)
        except FileNotFoundError:
            continue
        for deed in (lambda: os.truncate(path, 0), lambda: write(path)):
            try:
                deed()
            except OSError:
                pass
    assert 1 <= len(copies) <= 2, len(copies)
    # One that was written to before it was sealed is refused (E0556), as is one that somebody still has opened to write
    # (E0559); nothing else than the program runs.
    assert home.ended(host) in ('prints {"n":1}', "code E0556 exit 20", "code E0559 exit 20")
    print("prints no other program ran")

def write(path):
    with open(path, "r+b") as file:
        file.write(b"x")
