// Takes memory and uses it until there is none. The control stops at 200 MiB.
// limits: memoryMiB 64
// strict: limit memory
PROBE {
    for (int i = 0; i < 200; i++) {
        char *more = malloc(1 << 20);
        if (!more) return 12;
        memset(more, 1, 1 << 20);
    }
    return tell(0);
}
