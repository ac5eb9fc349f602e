# A script types into the terminal. The control has a terminal of its own.
# runtime: violation ioctl(TIOCSTI)
# needs: a kernel that lets terminals be typed into, else EIO EPERM
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
attempt(fcntl.ioctl, 0, termios.TIOCSTI, b"x")
