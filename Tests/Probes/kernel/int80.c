// Asks for its pid by the 32-bit table of calls, where the same number is another call.
// strict: violation getpid() of the i386 table
// needs: x86-64
// needs: a kernel with the 32-bit table, else ENOSYS
PROBE {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    if (result < 0) errno = (int)-result;
    return tell(result < 0 ? -1 : 0);
}
