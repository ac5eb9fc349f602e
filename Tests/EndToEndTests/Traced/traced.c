// A plugin without a libc, so that the system calls it makes are those below and no other.
static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

void _start(void) {
    static char rows[4096];
    static const char path[] = "/home/canary-quill", answer[] = "{\"n\":1}\n";
    call(0, 0, (long)rows, sizeof rows);                      // read
    call(41, 2 /* AF_INET */, 1 /* SOCK_STREAM */, 0);        // socket
    call(41, 2, 1, 0);                                        // and once more
    call(2, (long)path, 0, 0);                                // open, to read
    call(16, 1, 0x5401 /* TCGETS */, (long)rows);             // ioctl
    call(10, (long)rows, 4096, 5 /* READ | EXEC */);          // mprotect
    call(39, 0, 0, 0);                                        // getpid
    call(1, 1, (long)answer, sizeof answer - 1);              // write
    for (;;) call(231, 0, 0, 0);                              // exit_group
}
