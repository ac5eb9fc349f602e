// Changes the state of its input.
// strict: violation fcntl(F_SETFL)
PROBE { return tell(fcntl(0, F_SETFL, O_NONBLOCK)); }
