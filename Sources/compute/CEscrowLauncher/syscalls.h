// System calls without libc: they take no lock, set no errno (which the sleeping host thread owns), and are no
// cancellation points. Each returns a result or a negated errno.
#ifndef ESCROW_SYSCALLS_H
#define ESCROW_SYSCALLS_H

#include <sys/syscall.h>

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

static inline long raw6(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "Escrow's sandbox knows x86-64 and arm64 only"
#endif
}

#define RAW_PICK(_0, _1, _2, _3, _4, _5, _6, NAME, ...) NAME
#define raw(...) RAW_PICK(__VA_ARGS__, RAW6, RAW5, RAW4, RAW3, RAW2, RAW1, RAW0)(__VA_ARGS__)
#define RAW0(n) raw6(n, 0, 0, 0, 0, 0, 0)
#define RAW1(n, a) raw6(n, (long)(a), 0, 0, 0, 0, 0)
#define RAW2(n, a, b) raw6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define RAW3(n, a, b, c) raw6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RAW4(n, a, b, c, d) raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define RAW5(n, a, b, c, d, e) raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define RAW6(n, a, b, c, d, e, f) raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
