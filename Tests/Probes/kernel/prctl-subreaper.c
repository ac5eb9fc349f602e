// Adopts orphans.
// strict: violation prctl(PR_SET_CHILD_SUBREAPER)
PROBE { return tell(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)); }
