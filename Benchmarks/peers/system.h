// System calls without a C library: what starts costs nothing but the start, and what is counted is the kernel's.
typedef unsigned long word;

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, FCNTL = 72, GETPPID = 110, EXIT_GROUP = 231 };

static inline long call(long number, word a, word b, word c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, FCNTL = 25, GETPPID = 173, EXIT_GROUP = 94 };

static inline long call(long number, word a, word b, word c) {
    register long x8 __asm__("x8") = number;
    register word x0 __asm__("x0") = a;
    register word x1 __asm__("x1") = b;
    register word x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return (long)x0;
}
#endif
