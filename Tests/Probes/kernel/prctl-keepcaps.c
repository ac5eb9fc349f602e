// Keeps its capabilities over a change of user.
// strict: violation prctl(PR_SET_KEEPCAPS)
PROBE { return tell(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)); }
