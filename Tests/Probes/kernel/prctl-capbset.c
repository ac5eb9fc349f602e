// Changes the set of capabilities that it may ever have.
// strict: violation prctl(PR_CAPBSET_DROP)
// needs: CAP_SETPCAP
PROBE { return tell(prctl(PR_CAPBSET_DROP, 0, 0, 0, 0)); }
