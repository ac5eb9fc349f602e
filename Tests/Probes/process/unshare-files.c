// Takes a table of descriptors of its own.
// strict: violation unshare(CLONE_FILES)
PROBE { return tell(unshare(CLONE_FILES)); }
