// Closes its input while the host writes, which is no reason to be stopped.
// input: 8388608
// strict: prints DID IT
PROBE { return tell(close(0)); }
