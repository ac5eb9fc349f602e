// Keeps its signals to itself and computes for ever.
// limits: cpuSeconds 1
// strict: limit cpu
PROBE {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (volatile unsigned long i = 0; i % 1000000 || !spent(); i++) {
    }
    return tell(0);
}
