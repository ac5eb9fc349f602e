// Opens a raw socket, which forges packets.
// strict: violation socket(AF_INET, SOCK_RAW)
// needs: CAP_NET_RAW
#include "../probe.h"

PROBE { return tell(socket(AF_INET, SOCK_RAW, 1 /* ICMP */)); }
