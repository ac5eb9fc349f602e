// Counts its own processor events, which tell of neighbours.
// strict: violation perf_event_open()
// needs: a kernel with performance events, else ENOSYS EACCES
#include <linux/perf_event.h>

PROBE {
    struct perf_event_attr counter = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof counter, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1};
    return tell(syscall(SYS_perf_event_open, &counter, 0, -1, -1, 0));
}
