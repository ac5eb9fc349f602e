// Changes how exact its timers are.
// strict: violation prctl(PR_SET_TIMERSLACK)
PROBE { return tell(prctl(PR_SET_TIMERSLACK, 50000, 0, 0, 0)); }
