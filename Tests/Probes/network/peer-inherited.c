// Asks a socket that it was born with who is at the other end.
// strict: violation getpeername()
#include <sys/un.h>

PROBE {
    leak_sockets();
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    return tell(getpeername(LEAKED, (void *)&address, &size));
}
