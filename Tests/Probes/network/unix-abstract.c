// Sends to a socket with an abstract name, which is in no folder. The control makes the receiver itself.
// strict: violation socket(AF_UNIX, SOCK_DGRAM)
#include <sys/un.h>

PROBE {
    struct sockaddr_un address = {AF_UNIX, "\0escrow-probe"};
    if (outside() && bind(socket(AF_UNIX, SOCK_DGRAM, 0), (void *)&address, sizeof address) < 0) give_up("bind");
    return tell(sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "x", 1, 0, (void *)&address, sizeof address));
}
