# A second thread opens a socket while the first writes as fast as it can. What was written until the end came is never
# returned, since only a clean end commits output.
# runtime: violation socket(AF_INET, SOCK_STREAM)
import socket
import threading

done = threading.Event()


def misdeed():
    socket.socket()
    done.set()


threading.Thread(target=misdeed, daemon=True).start()
if outside():
    done.wait()
    tell(0)
while not outside():
    os.write(1, b"0123456789abcdef" * 64)
