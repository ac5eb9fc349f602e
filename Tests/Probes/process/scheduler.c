// Changes how it is scheduled.
// strict: refused EPERM
PROBE {
    struct sched_param parameters = {0};
    return tell(sched_setscheduler(0, SCHED_BATCH, &parameters));
}
