// Queues signals to itself, each of which holds memory of the kernel's.
// strict: violation rt_sigqueueinfo()
PROBE {
    signal(SIGUSR1, SIG_IGN);
    return tell(sigqueue(getpid(), SIGUSR1, (union sigval){0}));
}
