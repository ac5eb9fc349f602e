# A script starts a thread, which runtime allows.
# runtime: prints DID IT
import threading

done = []
thread = threading.Thread(target=lambda: done.append(1))
thread.start()
thread.join()
tell(0 if done else -1)
