// Switches a protection off with the unused upper half of the argument set, which a careless filter compares.
// strict: violation prctl(PR_SET_DUMPABLE)
PROBE { return tell(syscall(SYS_prctl, 0x100000000UL | PR_SET_DUMPABLE, 1, 0, 0, 0)); }
