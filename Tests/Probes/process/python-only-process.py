# A script looks for another process by guessing numbers: it asks each for its session.
# runtime: prints ALONE
def exists(number):
    try:
        os.getsid(number)
    except ProcessLookupError:
        return False
    return True


others = [number for number in range(1, 4096) if number != os.getpid() and exists(number)]
print("DID IT" if others else "ALONE")
