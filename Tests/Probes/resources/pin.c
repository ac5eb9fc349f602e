// Chooses the processor that it runs on, to sit beside another process.
// strict: refused EPERM
PROBE {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0) give_up("sched_getaffinity");
    return tell(sched_setaffinity(0, sizeof set, &set));
}
