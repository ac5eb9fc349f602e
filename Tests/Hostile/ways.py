"""A program that tries to read a person's contacts without asking, in every way that its author could think of.

    ways.py FILE HOME RUNTIME MARKER

FILE is a source, HOME the escrow home, RUNTIME the folder of the service's sockets; MARKER stands in the source. Prints a line for
each way that worked, and at the end how many were tried. Run outside the walls it must find ways: else it shows nothing.
"""

import ctypes
import glob
import mmap
import os
import shutil
import socket
import subprocess
import sys
import tempfile

FILE, HOME, RUNTIME, MARKER = sys.argv[1:5]
MARK = MARKER.encode()
libc = ctypes.CDLL(None, use_errno=True)
WAYS = []


def way(body):
    WAYS.append(body)
    return body


def has(data):
    return MARK in (data if isinstance(data, bytes) else data.encode(errors="replace"))


def command(*words, **more):
    return subprocess.run(words, capture_output=True, timeout=10, stdin=subprocess.DEVNULL, **more).stdout


def under(root):
    return glob.glob(root + "/**", recursive=True)


def any_file(paths):
    return any(os.path.isfile(path) and has(open(path, "rb").read(1 << 20)) for path in paths)


@way
def open_it(): return has(open(FILE, "rb").read())
@way
def open_relative(): return has(open(os.path.relpath(FILE), "rb").read())
@way
def open_with_dots(): return has(open("/usr/.." + FILE, "rb").read())
@way
def open_through_folder():
    folder = os.open(os.path.dirname(FILE), os.O_RDONLY)
    return has(os.read(os.open(os.path.basename(FILE), os.O_RDONLY, dir_fd=folder), 1 << 20))
@way
def through_own_root(): return has(open("/proc/self/root" + FILE, "rb").read())
@way
def through_first_process(): return has(open("/proc/1/root" + FILE, "rb").read())
@way
def through_every_process_root():
    return any_file("/proc/%s/root%s" % (p, FILE) for p in os.listdir("/proc") if p.isdigit() and p != str(os.getpid()))
@way
def through_every_process_folder():
    return any_file("/proc/%s/cwd/%s" % (p, os.path.basename(FILE)) for p in os.listdir("/proc") if p.isdigit())
@way
def through_descriptors_of_others():
    return any(any_file(glob.glob("/proc/%s/fd/*" % p)) for p in os.listdir("/proc") if p.isdigit() and p != str(os.getpid()))
@way
def through_descriptors_left_open():
    for number in range(3, 1024):
        try:
            if has(os.pread(number, 1 << 20, 0)): return True
        except OSError:
            pass
        try:
            inner = os.open(os.path.basename(FILE), os.O_RDONLY, dir_fd=number)
            if has(os.read(inner, 1 << 20)): return True
        except OSError:
            pass
    return False
@way
def by_symbolic_link():
    link = tempfile.mktemp()
    os.symlink(FILE, link)
    return has(open(link, "rb").read())
@way
def by_hard_link():
    link = os.path.join(os.path.expanduser("~"), "hard-link")
    os.link(FILE, link)
    try: return has(open(link, "rb").read())
    finally: os.unlink(link)
@way
def by_renaming():
    moved = FILE + ".moved"
    os.rename(FILE, moved)
    try: return has(open(moved, "rb").read())
    finally: os.rename(moved, FILE)
@way
def by_mapping():
    with open(FILE, "rb") as file: return has(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)[:])
@way
def by_sendfile():
    out = tempfile.TemporaryFile()
    os.sendfile(out.fileno(), os.open(FILE, os.O_RDONLY), 0, 1 << 20)
    out.seek(0)
    return has(out.read())
@way
def by_copying(): return has(open(shutil.copy(FILE, tempfile.mktemp()), "rb").read())
@way
def by_another_program(): return has(command("cat", FILE))
@way
def by_a_shell(): return has(command("sh", "-c", "while read -r line; do echo \"$line\"; done < '%s'" % FILE))
@way
def by_archiving(): return has(command("tar", "-cf", "-", FILE))
@way
def by_finding(): return has(command("grep", "-rahs", MARKER, os.path.dirname(FILE)))
@way
def by_sqlite():
    import sqlite3
    base = sqlite3.connect(":memory:")
    base.execute("ATTACH ? AS other", (FILE,))
    return False
@way
def by_file_handle():
    handle = (ctypes.c_char * 264)()
    ctypes.memmove(handle, (256).to_bytes(4, "little"), 4)
    mount = ctypes.c_int()
    if libc.name_to_handle_at(-100, FILE.encode(), handle, ctypes.byref(mount), 0): return False
    number = libc.open_by_handle_at(os.open("/", os.O_RDONLY), handle, 0)
    return number >= 0 and has(os.read(number, 1 << 20))
@way
def by_mounting():
    place = tempfile.mkdtemp()
    if libc.mount(os.path.dirname(FILE).encode(), place.encode(), None, 4096, None): return False
    try: return any_file(under(place))
    finally: libc.umount2(place.encode(), 2)
@way
def by_a_new_namespace(): return has(command("unshare", "-Urm", "cat", FILE))
@way
def by_taking_a_namespace(): return has(command("nsenter", "-t", "1", "-m", "cat", FILE))
@way
def by_unmounting_the_cover():
    for line in open("/proc/self/mountinfo"):
        place = line.split()[4]
        if FILE.startswith(place) and place != "/": libc.umount2(place.encode(), 2)
    return has(open(FILE, "rb").read())
@way
def by_leaving_the_root():
    os.chroot("/") if os.geteuid() == 0 else None
    for _ in range(32): os.chdir("..")
    return has(open("." + FILE, "rb").read())
@way
def from_the_escrow_home(): return len(os.listdir(HOME)) > 0
@way
def from_the_escrow_keys(): return len(open(HOME + "/host.key", "rb").read()) > 0
@way
def by_answering_oneself():
    program = shutil.which("escrow") or os.environ.get("ESCROW_PROGRAM", "")
    return b"allowed" in subprocess.run([program, "pending", "--home", HOME], capture_output=True, timeout=10).stderr \
        or os.path.isdir(HOME + "/ledger")
@way
def by_the_common_socket():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(RUNTIME + "/service.sock")
    return True
@way
def by_the_control_socket():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(RUNTIME + "/control.sock")
    return True
@way
def from_the_memory_of_others():
    for process in os.listdir("/proc"):
        if not process.isdigit() or int(process) in (os.getpid(), os.getppid()): continue
        try:
            name = os.readlink("/proc/%s/exe" % process)
            if "escrow" in name and os.open("/proc/%s/mem" % process, os.O_RDONLY) >= 0: return True
        except OSError:
            pass
    return False
@way
def from_backup_files(): return any_file(glob.glob(os.path.dirname(FILE) + "/*~") + glob.glob(FILE + "*"))
@way
def from_the_raw_disk(): return any(os.open(disk, os.O_RDONLY) >= 0 for disk in glob.glob("/dev/[svn][dv]*"))
@way
def from_the_kernels_memory(): return len(os.pread(os.open("/proc/kcore", os.O_RDONLY), 64, 0)) > 0
@way
def by_a_listener_on_the_loopback():
    for port in (22, 111, 631, 2049, 5984, 8080):
        peer = socket.socket()
        peer.settimeout(0.2)
        if peer.connect_ex(("127.0.0.1", port)) == 0: return True
    return False
@way
def by_the_session_bus():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect("/run/user/%d/bus" % os.getuid())
    return True
@way
def by_the_system_bus():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect("/run/dbus/system_bus_socket")
    return True
@way
def by_the_display():
    for number in range(4):
        for name in ("\0/tmp/.X11-unix/X%d" % number, "/tmp/.X11-unix/X%d" % number):
            try:
                socket.socket(socket.AF_UNIX).connect(name)
                return True
            except OSError:
                pass
    return False


worked = 0
for body in WAYS:
    try:
        result = body()
    except Exception:
        result = False
    if result:
        worked += 1
        print("worked:", body.__name__, flush=True)
print("tried %d, worked %d" % (len(WAYS), worked))
