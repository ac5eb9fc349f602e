// Looks a name up, as every program does. The first step of the C library is to ask which addresses this machine has.
// strict: violation socket(AF_NETLINK, SOCK_RAW)
#include <netdb.h>

PROBE {
    struct addrinfo *found;
    int error = getaddrinfo("localhost", "80", NULL, &found);
    if (error) errno = ENOENT;
    return tell(error ? -1 : 0);
}
