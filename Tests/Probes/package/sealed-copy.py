# Writes into the host's sealed copy, through /proc, as the same user.
# host: prints 0 of 1 copies written

def during(home):
    host = home.start()
    copies, written = set(), 0
    for name in os.listdir("/proc/%d/fd" % host.pid):
        path = "/proc/%d/fd/%s" % (host.pid, name)
        try:
            if not os.readlink(path).startswith("/memfd:" + PROGRAM):
                continue
            # While the process is made a second descriptor leads to the same copy, and then is closed.
            copies.add(os.stat(path).st_ino)
        except FileNotFoundError:
            continue
        for deed in (lambda: os.truncate(path, 0), lambda: write(path)):
            try:
                deed()
                written += 1
            except OSError:
                pass
    # A file that somebody has opened to write cannot be executed: that run may be refused, but runs nothing else.
    assert home.ended(host) in ('prints {"n":1}', "code E0559 exit 20")
    print("prints %d of %d copies written" % (written, len(copies)))

def write(path):
    with open(path, "r+b") as file:
        file.write(b"x")
