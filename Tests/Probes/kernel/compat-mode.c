// Turns its processor to 32 bits by a far call, and from there asks for its pid by the 32-bit table of calls. It needs
// no new code for that, since the instructions are part of the program.
// strict: violation getpid() of the i386 table
// needs: x86-64
// needs: a kernel with the 32-bit table, else ENOSYS

// A stack below 4 GiB, since 32-bit code sees half of the stack's address; and where the call goes: segment 0x23 is the
// kernel's own for 32-bit programs.
static char low_stack[4096] __attribute__((aligned(16)));
static unsigned long old_stack __attribute__((used));
static struct {
    uint32_t offset;
    uint16_t segment;
} __attribute__((packed)) gate __attribute__((used)) = {0, 0x23};

__asm__(
    ".text\n"
    "call_as_32_bits:\n"
    ".code32\n"
    "    movl $20, %eax\n"
    "    int $0x80\n"
    "    lret\n"
    ".code64\n");
extern char call_as_32_bits[];

PROBE {
    int result;
    gate.offset = (uint32_t)(uintptr_t)call_as_32_bits;
    __asm__ volatile(
        "movq %%rsp, old_stack(%%rip)\n"
        "movq %1, %%rsp\n"
        "lcall *gate(%%rip)\n"
        "movq old_stack(%%rip), %%rsp\n"
        : "=a"(result)
        : "r"(low_stack + sizeof low_stack)
        : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
    if (result < 0) errno = -result;
    return tell(result < 0 ? -1 : 0);
}
