// Takes memory by the oldest call.
// limits: memoryMiB 64
// strict: refused ENOMEM
PROBE { return tell(sbrk(200 << 20) == (void *)-1 ? -1 : 0); }
