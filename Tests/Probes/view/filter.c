// Asks whether a filter holds it.
// strict: violation prctl(another PR)
PROBE { return tell(prctl(PR_GET_SECCOMP, 0, 0, 0, 0)); }
