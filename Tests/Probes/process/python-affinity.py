# A script chooses its processor. The control keeps the processors that it has.
# runtime: refused EPERM
attempt(os.sched_setaffinity, 0, os.sched_getaffinity(0))
