// Signals process 1: outside the machine's own, inside itself. The signal is 0, which kills nobody.
// strict: violation kill()
// needs: CAP_KILL
PROBE { return tell(kill(1, 0)); }
