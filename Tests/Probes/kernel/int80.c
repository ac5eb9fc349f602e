// Asks for its pid by the 32-bit table of calls.
// strict: violation getpid() of the i386 table
// needs: x86-64
#include "../probe.h"

PROBE {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return tell(result < 0 ? (errno = (int)-result, -1) : 0);
}
