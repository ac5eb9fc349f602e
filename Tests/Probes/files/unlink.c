// Removes a file.
// strict: violation unlinkat()
PROBE { return tell(unlinkat(AT_FDCWD, "canary", 0)); }
