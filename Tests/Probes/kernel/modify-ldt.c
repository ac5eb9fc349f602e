// Adds a segment of its own to the processor's table.
// strict: violation modify_ldt()
// needs: x86-64
// needs: a kernel with local tables, else ENOSYS
#include <asm/ldt.h>

PROBE {
    struct user_desc segment = {.entry_number = 0, .limit = 1, .seg_not_present = 1, .read_exec_only = 1};
    return tell(syscall(SYS_modify_ldt, 1, &segment, sizeof segment));
}
