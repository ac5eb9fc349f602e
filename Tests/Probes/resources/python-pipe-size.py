# A script makes a pipe hold more of the kernel's memory.
# runtime: violation fcntl(F_SETPIPE_SZ)
import fcntl

attempt(fcntl.fcntl, os.pipe()[1], 1031, 1 << 20)
