// Takes a port for a socket that it was born with.
// strict: violation bind()
#include <netinet/in.h>

PROBE {
    struct sockaddr_in any = {.sin_family = AF_INET};
    if (outside() && dup2(socket(AF_INET, SOCK_STREAM, 0), LEAKED) < 0) give_up("socket");
    return tell(bind(LEAKED, (void *)&any, sizeof any));
}
