# A script makes its memory open to its own uid.
# runtime: violation prctl(PR_SET_DUMPABLE)
tell(libc.prctl(4, 1, 0, 0, 0))
