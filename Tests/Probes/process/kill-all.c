// Signals every process. The signal is 0, which kills nobody.
// strict: violation kill()
PROBE { return tell(kill(-1, 0)); }
