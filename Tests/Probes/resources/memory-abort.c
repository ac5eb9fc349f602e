// Takes memory and aborts when there is none, as most languages do: that is the limit and no crash.
// limits: memoryMiB 64
// strict: limit memory
PROBE {
    for (int i = 0; i < 200; i++) {
        char *more = malloc(1 << 20);
        if (!more) abort();
        memset(more, 1, 1 << 20);
    }
    return tell(0);
}
