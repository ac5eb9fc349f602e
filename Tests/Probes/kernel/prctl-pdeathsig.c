// Unties its life from its host's.
// strict: violation prctl(PR_SET_PDEATHSIG)
PROBE { return tell(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)); }
