// Forbids itself the clock of the processor, as a test whether it may.
// strict: violation prctl(PR_SET_TSC)
// needs: x86-64
PROBE { return tell(prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0)); }
