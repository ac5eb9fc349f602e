// Lets its parent trace it.
// strict: violation ptrace()
#include <sys/ptrace.h>

PROBE {
    in_a_child();
    return tell(ptrace(PTRACE_TRACEME, 0, 0, 0));
}
