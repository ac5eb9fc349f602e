# A script looks at all that it may look at without being stopped, and prints it. `python-machine.seen` beside this file
# says what it must see; outside it sees the machine itself.
# runtime: prints what python-machine.seen says
# control: prints the machine itself
import locale
import resource
import stat
import time


def see(name, look):
    try:
        value = look()
    except OSError as error:
        value = errno.errorcode.get(error.errno, "refused")
    except Exception as error:
        value = type(error).__name__
    print(f"{name}: {value}", flush=True)


def names_in(path):
    return lambda: f"{len(os.listdir(path))} names"


def descriptors():
    found = []
    for number in range(4096):
        try:
            about = os.fstat(number)
        except OSError:
            continue
        found.append(f"{number} " + ("pipe" if stat.S_ISFIFO(about.st_mode) else "other"))
    return " ".join(found)


def limits():
    return ", ".join(
        f"{name} {resource.getrlimit(number)[1]}"
        for name, number in [
            ("core", resource.RLIMIT_CORE), ("file size", resource.RLIMIT_FSIZE),
            ("processor seconds", resource.RLIMIT_CPU), ("address space", resource.RLIMIT_AS),
            ("data", resource.RLIMIT_DATA), ("stack", resource.RLIMIT_STACK),
            ("locked memory", resource.RLIMIT_MEMLOCK), ("locks", 10), ("pending signals", 11),
            ("message queues", 12), ("nice", 13), ("real-time", 14),
            ("processes", resource.RLIMIT_NPROC), ("descriptors", resource.RLIMIT_NOFILE),
        ]
    )


def memory():
    buffer = ctypes.create_string_buffer(256)
    if libc.sysinfo(buffer) < 0:
        raise OSError(ctypes.get_errno(), "sysinfo")
    return int.from_bytes(buffer.raw[32:40], "little")


def uname():
    names = ctypes.create_string_buffer(390)
    libc.uname(names)
    return names.raw


library = os.path.dirname(os.__file__)
see("environment", lambda: " ".join(f"{name}={value}" for name, value in os.environ.items()))
see("arguments", lambda: " ".join(sys.orig_argv))
see("own files", lambda: " ".join(os.listdir(os.path.dirname(os.path.abspath(sys.argv[0])))))
see("working directory", os.getcwd)
see("umask", lambda: os.umask(0o077))
see("host name", lambda: os.uname().nodename)
see("domain name", lambda: uname()[325:].split(b"\0")[0].decode() or "none")
see("kernel", lambda: f"{os.uname().sysname} {os.uname().release}")
see("kernel build", lambda: os.uname().version)
see("machine", lambda: os.uname().machine)
see("process", os.getpid)
see("parent", os.getppid)
see("session", lambda: os.getsid(0))
see("user", lambda: f"{os.getuid()} {os.geteuid()}")
see("group", lambda: f"{os.getgid()} {os.getegid()}")
see("terminal", lambda: os.get_terminal_size())
see("login name", os.getlogin)
see("open descriptors", descriptors)
see("pipe number", lambda: os.fstat(0).st_ino)
see("limits", limits)
see("used so far", lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
see("time", time.time)
see("time resolution", lambda: f"{time.clock_getres(time.CLOCK_REALTIME) * 1e9:.0f} ns")
see("time zone", lambda: time.tzname[0])
see("time since boot", lambda: time.clock_gettime(time.CLOCK_BOOTTIME))
see("processors", os.cpu_count)
see("load", os.getloadavg)
see("memory of the machine", memory)
see("disk", lambda: os.statvfs(library).f_bfree)
see("root directory", names_in("/"))
see("programs", names_in("/usr/bin"))
see("procfs", names_in("/proc"))
see("sysfs", names_in("/sys"))
see("devices", names_in("/dev"))
see("time zones", names_in("/usr/share/zoneinfo"))
see("locales", names_in("/usr/lib/locale"))
see("language", lambda: locale.setlocale(locale.LC_ALL, ""))
see("release of the distribution", lambda: open("/usr/lib/os-release").readline())
see("release of python", lambda: sys.version)
see("libraries", names_in("/usr/lib/" + sys.implementation._multiarch))
see("library's disk and place", lambda: f"{os.stat(library).st_dev} {os.stat(library).st_ino}")
see("library's owner", lambda: os.stat(library).st_uid)
see("library installed", lambda: os.stat(library).st_mtime)
