// Raises a capability for programs that it starts; the control clears them all.
// strict: violation prctl(PR_CAP_AMBIENT)
PROBE { return tell(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)); }
