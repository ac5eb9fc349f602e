# A script asks whether its input is a terminal: it is told no. The control has one.
# runtime: refused ENOTTY
import fcntl
import termios

if outside():
    import pty

    words = os.dup(1)
    child, _ = pty.fork()
    if child != 0:
        os.wait()
        os._exit(0)
    os.dup2(words, 1)
attempt(fcntl.ioctl, 0, termios.TCGETS, bytes(60))
