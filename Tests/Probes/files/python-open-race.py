# A script opens a path that another thread keeps changing, so that what was checked is not what is opened.
# runtime: violation openat(AT_FDCWD, O_RDONLY)
# limits: wallSeconds 60
import threading

good, bad = b"/usr/lib/os-release\0", b"/../../etc/passwd\0\0\0"
path = ctypes.create_string_buffer(good, len(bad))
done = False


def change():
    while not done:
        ctypes.memmove(path, bad, len(bad))
        ctypes.memmove(path, good, len(good))


thread = threading.Thread(target=change)
thread.start()
while True:
    file = libc.open(path, os.O_RDONLY)
    if file >= 0:
        text = os.read(file, 4096)
        os.close(file)
        if b":0:0:" in text:
            done = True
            break
thread.join()
tell(0)
