// Asks which session it was started in.
// strict: violation getsid()
PROBE { return tell(getsid(0)); }
