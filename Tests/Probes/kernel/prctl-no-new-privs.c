// Sets a flag that is set already, as a step towards a filter of its own.
// strict: violation prctl(PR_SET_NO_NEW_PRIVS)
PROBE { return tell(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }
