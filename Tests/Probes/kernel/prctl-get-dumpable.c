// Asks whether its memory is open to its own uid, before it opens it.
// strict: violation prctl(PR_GET_DUMPABLE)
PROBE { return tell(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0)); }
