// Lets another process trace it.
// strict: violation prctl(PR_SET_PTRACER)
// needs: a kernel with Yama, else EINVAL
PROBE { return tell(prctl(PR_SET_PTRACER, -1, 0, 0, 0)); }
