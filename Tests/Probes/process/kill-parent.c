// Signals its parent: outside the runner of these probes, inside nobody, since there it is 0. The signal is 0.
// strict: violation kill()
PROBE { return tell(kill(getppid(), 0)); }
