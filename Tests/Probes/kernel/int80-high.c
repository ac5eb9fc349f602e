// Opens a socket by the 32-bit table with a number that is another call in the table of 64 bits.
// strict: violation socketcall() of the i386 table
// control: refused EAFNOSUPPORT
// needs: x86-64
// needs: a kernel with the 32-bit table, else ENOSYS
PROBE {
    static unsigned arguments[3];
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(102), "b"(1), "c"(arguments) : "memory");
    // Outside the kernel cannot read above 4 GiB, and a static program lies below; no address family is 0.
    if (result < 0) errno = (int)-result;
    return tell(result < 0 ? -1 : 0);
}
