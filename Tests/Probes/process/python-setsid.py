# A script leaves its session, to outlive its host.
# runtime: violation setsid()
if outside() and os.fork() != 0:
    os.wait()
    os._exit(0)
attempt(os.setsid)
