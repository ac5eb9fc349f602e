// Waits for a child of somebody's. The control has none, and is told so.
// strict: violation wait4()
// control: refused ECHILD
PROBE { return tell(waitpid(-1, NULL, WNOHANG)); }
