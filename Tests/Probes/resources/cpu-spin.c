// Computes for ever.
// limits: cpuSeconds 1
// strict: limit cpu
PROBE {
    for (volatile unsigned long i = 0; i % 1000000 || !spent(); i++) {
    }
    return tell(0);
}
