// Makes its memory open to its own uid, and itself to core dumps.
// strict: violation prctl(PR_SET_DUMPABLE)
PROBE { return tell(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }
