"""Starts a program from settings that reach its children unless it changes them: hostile_start.py PROGRAM ARGUMENT..."""

import ctypes
import os
import resource
import signal
import sys

libc = ctypes.CDLL(None, use_errno=True)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


# No address randomisation, and the kernel says that it is 2.6.
libc.personality(0x0040000 | 0x0020000)
os.nice(7)
try:
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
except PermissionError:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
# IOPRIO_WHO_PROCESS, this one, best effort at its lowest.
libc.syscall({"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, 0, 2 << 13 | 7)
libc.prctl(29, 123456, 0, 0, 0)  # PR_SET_TIMERSLACK
libc.prctl(67, 1, 0, 0, 0)  # PR_SET_MEMORY_MERGE, where the kernel has it
libc.prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
write("/proc/self/oom_score_adj", "321")
write("/proc/self/coredump_filter", "0x7f")
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.umask(0)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR2})
os.environ.update(LOCALDOMAIN="evil.example", RES_OPTIONS="ndots:15", MALLOC_PERTURB_="7", TZ="Asia/Tokyo")
os.execv(sys.argv[1], sys.argv[1:])
