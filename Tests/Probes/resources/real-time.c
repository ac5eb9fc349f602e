// Asks for the processor before everybody else.
// strict: refused EPERM
// needs: CAP_SYS_NICE
PROBE {
    struct sched_param first = {1};
    in_a_child();
    return tell(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &first));
}
