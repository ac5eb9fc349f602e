// The work that each peer of the launch benchmark starts: reads stdin to its end, counts the digits of that one row,
// writes one line. Without a C library, so that starting it costs nothing but the start.
//   cc -O2 -static -nostdlib -ffreestanding -fno-stack-protector -o work work.c
typedef unsigned long word;

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, EXIT_GROUP = 231 };

static long call(long number, word a, word b, word c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, EXIT_GROUP = 94 };

static long call(long number, word a, word b, word c) {
    register long x8 __asm__("x8") = number;
    register word x0 __asm__("x0") = a;
    register word x1 __asm__("x1") = b;
    register word x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return (long)x0;
}
#endif

static char row[4096];

void _start(void) {
    word size = 0, digits = 0;
    long count;
    while (size < sizeof row && (count = call(READ, 0, (word)(row + size), sizeof row - size)) > 0) size += (word)count;
    for (word i = 0; i < size; i++) digits += row[i] >= '0' && row[i] <= '9';
    char line[] = "{\"digits\":00}\n";
    line[10] = (char)('0' + digits / 10 % 10);
    line[11] = (char)('0' + digits % 10);
    call(WRITE, 1, (word)line, sizeof line - 1);
    call(EXIT_GROUP, 0, 0, 0);
}
