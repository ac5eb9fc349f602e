// Chooses with whom it shares a core. The control asks for a mark of its own, in a process that ends at once.
// strict: violation prctl(PR_SCHED_CORE)
// needs: a machine whose cores run two threads, else EINVAL ENODEV
PROBE { return tell(prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 0, 0, 0)); }
