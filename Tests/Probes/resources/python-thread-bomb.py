# A script starts more threads than it may have. The control stops at 40.
# limits: processes 8, memoryMiB 2048
# runtime: limit processes
import threading

event = threading.Event()
try:
    for _ in range(40):
        threading.Thread(target=event.wait, daemon=True).start()
    print("DID IT", flush=True)
except RuntimeError:
    # "can't start new thread": the errno is not told.
    print("REFUSED EAGAIN", flush=True)
event.set()
