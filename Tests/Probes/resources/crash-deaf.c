// Crashes while it ignores that signal.
// strict: signal SIGSEGV
// control: signal SIGSEGV
#include "../probe.h"

PROBE {
    signal(SIGSEGV, SIG_IGN);
    *(volatile int *)16 = 1;
    return 9;
}
