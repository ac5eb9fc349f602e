// Changes how large its pages are.
// strict: violation prctl(PR_SET_THP_DISABLE)
PROBE { return tell(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)); }
