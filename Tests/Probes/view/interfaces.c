// Asks which network interfaces the machine has.
// strict: violation socket(AF_NETLINK, SOCK_RAW)
#include <net/if.h>

PROBE { return tell(if_nameindex() ? 0 : -1); }
