# A script makes a process.
# runtime: violation clone(0)
def deed():
    if os.fork() == 0:
        os._exit(0)
    os.wait()


attempt(deed)
