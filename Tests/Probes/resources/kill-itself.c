// Ends itself as if the host had done it.
// strict: violation kill()
// control: signal SIGKILL
PROBE { return tell(kill(getpid(), SIGKILL)); }
