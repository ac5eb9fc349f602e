// Watches many descriptors at once, as no program of one thread and three descriptors needs.
// strict: violation epoll_create1()
#include <sys/epoll.h>

PROBE { return tell(epoll_create1(0)); }
