# A script uses a descriptor that the host forgot to close.
# runtime: prints NOTHING OPEN
import fcntl


def is_open(number):
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
        return True
    except OSError:
        return False


print("DID IT" if any(is_open(number) for number in range(3, 4096)) else "NOTHING OPEN")
