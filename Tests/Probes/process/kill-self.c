// Signals itself by its number.
// strict: violation kill()
PROBE { return tell(kill(getpid(), 0)); }
