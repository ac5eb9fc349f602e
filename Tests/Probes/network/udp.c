// Opens a UDP socket, for DNS for example.
// strict: violation socket(AF_INET, SOCK_DGRAM)
#include "../probe.h"

PROBE { return tell(socket(AF_INET, SOCK_DGRAM, 0)); }
