# A script chooses who gets the signals of its input.
# runtime: violation fcntl(F_SETOWN)
import fcntl

attempt(fcntl.fcntl, 0, fcntl.F_SETOWN, os.getpid())
