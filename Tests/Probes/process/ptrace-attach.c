// Traces another process: outside a child of its own, inside its parent, who cannot be named.
// strict: violation ptrace()
#include <sys/ptrace.h>

PROBE { return tell(ptrace(PTRACE_SEIZE, somebody(), 0, 0)); }
