# A script breaks the rules on many threads at once: the first counts, and is named.
# limits: memoryMiB 2048
# runtime: violation socket(AF_INET, SOCK_STREAM)
import socket
import threading

start = threading.Barrier(8)


def break_rules():
    start.wait()
    socket.socket().close()


threads = [threading.Thread(target=break_rules) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
tell(0)
