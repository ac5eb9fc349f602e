// Makes a timer of the kernel's, of which there could be many.
// strict: violation timer_create()
PROBE {
    timer_t timer;
    return tell(timer_create(CLOCK_MONOTONIC, NULL, &timer));
}
