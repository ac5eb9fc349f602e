"""Holds a process when it is about to end, as a tracer can, until a line is said to it. ptrace(2), PTRACE_O_TRACEEXIT

Says `traced` when it watches the process, and `held` when it holds it. What signals the process is sent it gets.
"""

import ctypes
import os
import sys

SEIZE, CONTINUE, TRACE_EXIT, EXIT_EVENT, WALL = 0x4206, 7, 0x40, 6, 0x40000000

pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
if libc.ptrace(SEIZE, pid, None, TRACE_EXIT) != 0:
    sys.exit("no")
print("traced", flush=True)
while True:
    _, status = os.waitpid(pid, WALL)
    if not os.WIFSTOPPED(status):
        sys.exit("it ended")
    event = status >> 16
    if event == EXIT_EVENT:
        break
    libc.ptrace(CONTINUE, pid, None, None if event else os.WSTOPSIG(status))
print("held", flush=True)
sys.stdin.readline()
