// Chooses which signal its input sends.
// strict: violation fcntl(F_SETSIG)
PROBE { return tell(fcntl(0, F_SETSIG, SIGUSR1)); }
