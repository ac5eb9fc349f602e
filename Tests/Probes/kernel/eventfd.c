// Makes a counter that another process could share.
// strict: violation eventfd2()
#include <sys/eventfd.h>

PROBE { return tell(eventfd(0, 0)); }
