// Takes a file over.
// argument: canary
// strict: violation fchownat()
PROBE { return tell(fchownat(AT_FDCWD, argument[1], getuid(), (gid_t)-1, 0)); }
