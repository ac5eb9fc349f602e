// Changes what root means to it; the control keeps the default.
// strict: violation prctl(PR_SET_SECUREBITS)
// needs: CAP_SETPCAP
PROBE { return tell(prctl(PR_SET_SECUREBITS, 0, 0, 0, 0)); }
