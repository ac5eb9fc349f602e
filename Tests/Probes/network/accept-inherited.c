// Accepts a connection on a socket that it was born with. The control connects to it first.
// strict: violation accept()
#include <sys/un.h>

PROBE {
    struct sockaddr_un address = {AF_UNIX, "service"};
    if (outside()) {
        if (dup2(socket(AF_UNIX, SOCK_STREAM, 0), LEAKED) < 0) give_up("socket");
        if (bind(LEAKED, (void *)&address, sizeof address) < 0 || listen(LEAKED, 1) < 0) give_up("listen");
        if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof address) < 0) give_up("connect");
    }
    return tell(accept(LEAKED, NULL, NULL));
}
