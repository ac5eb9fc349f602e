# A script computes on several threads at once: all their time counts.
# limits: cpuSeconds 1, memoryMiB 1024
# runtime: limit cpu
import threading
import time

data = bytes(1 << 20)


def compute():
    import hashlib
    while inside or time.process_time() < 1.1:
        hashlib.sha256(data)


inside = not outside()
threads = [threading.Thread(target=compute) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
tell(0)
