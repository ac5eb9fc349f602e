// Writes to its own memory by a file, past the protection of pages.
// strict: violation openat(AT_FDCWD, O_RDWR)
PROBE {
    static const int constant = 1;
    int two = 2;
    int memory = open("/proc/self/mem", O_RDWR);
    return tell(memory < 0 ? -1 : pwrite(memory, &two, sizeof two, (off_t)(uintptr_t)&constant));
}
