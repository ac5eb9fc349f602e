// Changes the kernel's own rule against new code.
// strict: violation prctl(PR_SET_MDWE)
// needs: a kernel with this rule, else EINVAL
PROBE { return tell(prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0)); }
