// Chooses who gets the signals of its input.
// strict: violation fcntl(F_SETOWN)
PROBE { return tell(fcntl(0, F_SETOWN, getpid())); }
